package io.drayage.receive;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CargoFile;
import io.drayage.files.FileRights;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver with a stage, from the frames on one side to the files on the other. */
@Timeout(180)
final class DiskStageTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 100_000);
  private static final long MAX_BYTES = 1L << 30;
  private static final StagingFile.Opener CHANNELS = StagingFile.channels(FileRights.PRIVATE);

  @TempDir private Path folder;

  private final BlockingQueue<ReceivedCargo.Staged> staged = new LinkedBlockingQueue<>();
  private final RecordingReplies replies = new RecordingReplies(7);

  /** Takes nothing but staged cargoes. */
  private final class Staged implements CargoCommitter {
    @Override
    public CompletableFuture<Long> commit(ReceivedCargo cargo) {
      staged.add((ReceivedCargo.Staged) cargo);
      return CompletableFuture.completedFuture(5L);
    }
  }

  @Test
  void stagedCargoIsACargoFile() throws Exception {
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), CargoBytes.framesOf(CARGO));

      assertThat(replies.whenCommitted().get()).isEqualTo(5);
      ReceivedCargo.Staged cargo = staged.take();
      assertThat(cargo.digest()).isEqualTo(CargoDigest.of(CARGO));
      assertThat(cargo.seal()).isEqualTo(replies.whenHeld().get());
      Path file = cargo.file().orElseThrow();
      assertThat(files()).containsExactly(file);
      assertThat(CargoFile.inspect(file)).isEqualTo(cargo.manifest());
      assertThat(CargoDigest.of(CargoFile.read(file, MAX_BYTES))).isEqualTo(cargo.digest());
    }
  }

  @Test
  void discardingStageDigestsAllTheSame() throws Exception {
    CargoStage stage = CargoStage.discarding(MAX_BYTES);
    try (CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), CargoBytes.gatheredFramesOf(CARGO));

      ReceivedCargo.Staged cargo = staged.take();
      assertThat(cargo.digest()).isEqualTo(CargoDigest.of(CARGO));
      assertThat(cargo.file()).isEmpty();
    }
  }

  @Test
  void nothingIsVisibleBeforeTheSealAndNothingIsLeftOfAnAbort() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      ShipmentHandler handler = accept(receiver);
      deliver(handler, frames.subList(0, frames.size() - 1));
      Waiting.await(() -> handler.settled().join().cardinality() == frames.size() - 2);
      assertThat(files()).singleElement().asString().endsWith(".part");
      assertThat(staged).isEmpty();

      handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
      Waiting.await(() -> files().isEmpty());
      assertRoomForAll(receiver);
    }
  }

  /** The budget of the stage came back. */
  private void assertRoomForAll(CargoReceiver receiver) throws Exception {
    RecordingReplies again = new RecordingReplies(8);
    deliver(receiver.accept(CargoBytes.headerOf(CARGO), again), CargoBytes.framesOf(CARGO));
    assertThat(again.whenCommitted().get()).isEqualTo(5);
  }

  @Test
  void flippedBitLeavesNothing() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    ByteBuffer flipped = frames.get(frames.size() / 2);
    flipped.put(flipped.limit() - 1, (byte) (flipped.get(flipped.limit() - 1) ^ 1));
    assertFails(Fault.CHECKSUM, "has checksum", frames);
  }

  @Test
  void undecodableSegmentIsNamedWithItsOwnRows() throws Exception {
    ChangeCargo longs =
        ChangeCargo.builder(CARGO.transactionId(), CARGO.baseSnapshot())
            .table(
                "t",
                table -> table.insert("c", RandomCargo.column(1, ColumnType.LONG, 200_000, false)))
            .build();
    List<ByteBuffer> frames = CargoBytes.framesOf(longs);
    ByteBuffer segment = frames.get(2);
    segment.limit(segment.limit() - 8);
    segment.putInt(FrameHeader.BYTES + 8, segment.limit() - FrameHeader.BYTES - 16);
    FrameHeader.write(segment, FrameType.SEGMENT, 0);
    assertFails(
        Fault.DECODE, "segment 1 (inserted values of t.c, rows 131,072 to 199,999) has", frames);
  }

  @Test
  void wrongSealLeavesNothing() throws Exception {
    List<ByteBuffer> frames = CargoBytes.framesOf(CARGO);
    ByteBuffer seal = frames.get(frames.size() - 1);
    seal.put(FrameHeader.BYTES + 8, (byte) (seal.get(FrameHeader.BYTES + 8) ^ 1));
    FrameHeader.write(seal, FrameType.SEAL, 0);
    assertFails(Fault.DIGEST, "the seal states digest", frames);
  }

  private void assertFails(Fault fault, String why, List<ByteBuffer> frames) throws Exception {
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), frames);
      assertFailed(fault, why);
      Waiting.await(() -> files().isEmpty());
      assertRoomForAll(receiver);
    }
  }

  private void assertFailed(Fault fault, String why) throws Exception {
    ShipmentException failure = replies.whenFailed().get();
    assertThat(failure).hasMessageContaining(why);
    assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(fault);
    assertThat(replies.whenCommitted()).isNotDone();
  }

  @Test
  void fullDiskIsNamedAndLeavesNothing() throws Exception {
    for (long room : new long[] {0, 10_000, 3_000_000}) {
      StagingFile.Opener opener = file -> new FullDisk(CHANNELS.open(file), new AtomicLong(room));
      RecordingReplies answers = new RecordingReplies(9);
      try (DiskStage stage = DiskStage.open(folder, MAX_BYTES, opener);
          CargoReceiver receiver = receiver(new Staged(), stage)) {
        deliver(receiver.accept(CargoBytes.headerOf(CARGO), answers), CargoBytes.framesOf(CARGO));
        ShipmentException failure = answers.whenFailed().get();
        assertThat(failure.fault()).isEqualTo(Fault.REFUSED);
        assertThat(failure)
            .hasMessageContaining("the cargo cannot be staged: No space left on device");
        Waiting.await(() -> files().isEmpty());
      }
    }
    assertThat(staged).isEmpty();
  }

  /** What the disk says only when it is forced to. */
  @Test
  void failureAtTheSealCommitsNothing() throws Exception {
    StagingFile.Opener opener =
        file ->
            new FullDisk(CHANNELS.open(file), new AtomicLong(MAX_BYTES)) {
              @Override
              public void force() throws IOException {
                throw new IOException("Input/output error");
              }
            };
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES, opener);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), CargoBytes.framesOf(CARGO));
      assertFailed(Fault.REFUSED, "cannot be staged: Input/output error");
      Waiting.await(() -> files().isEmpty());
    }
    assertThat(staged).isEmpty();
  }

  @Test
  void failureToForceTheNameCommitsNothing() throws Exception {
    StagingFile.Opener opener =
        new StagingFile.Opener() {
          @Override
          public StagingFile.Output open(Path file) throws IOException {
            return CHANNELS.open(file);
          }

          @Override
          public void forceFolder(Path each) throws IOException {
            throw new IOException("Input/output error");
          }
        };
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES, opener);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), CargoBytes.framesOf(CARGO));
      assertFailed(Fault.REFUSED, "cannot be staged: Input/output error");
      Waiting.await(() -> files().isEmpty());
    }
    assertThat(staged).isEmpty();
  }

  @Test
  void stagedFilesAreTheOwnersAlone() throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path stageFolder = folder.resolve("new").resolve("stage");
    try (DiskStage stage = DiskStage.open(stageFolder, MAX_BYTES);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      deliver(accept(receiver), CargoBytes.framesOf(CARGO));
      assertThat(replies.whenCommitted().get()).isEqualTo(5);
      Path file = staged.take().file().orElseThrow();
      assertThat(rights(file)).isEqualTo("rw-------");
      assertThat(rights(stageFolder)).isEqualTo("rwx------");
      assertThat(rights(stageFolder.getParent())).isEqualTo("rwx------");
    }
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static class FullDisk implements StagingFile.Output {
    private final StagingFile.Output disk;
    private final AtomicLong roomBytes;

    FullDisk(StagingFile.Output disk, AtomicLong roomBytes) {
      this.disk = disk;
      this.roomBytes = roomBytes;
    }

    @Override
    public void write(ByteBuffer bytes, long at) throws IOException {
      if (roomBytes.addAndGet(-bytes.remaining()) < 0) {
        throw new IOException("No space left on device");
      }
      disk.write(bytes, at);
    }

    @Override
    public void force() throws IOException {
      disk.force();
    }

    @Override
    public void close() throws IOException {
      disk.close();
    }
  }

  @Test
  void fileOfARejectedCargoIsDeleted() throws Exception {
    MemoryCommitter rejecting = cargo -> 0;
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES);
        CargoReceiver receiver = receiver(rejecting, stage)) {
      deliver(accept(receiver), CargoBytes.framesOf(CARGO));
      assertFailed(Fault.REJECTED, "applies cargoes in memory only");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void refusesFurtherCargoWhileTheStageIsTaken() throws Exception {
    long rawBytes = CargoSize.rawBytes(CARGO);
    try (DiskStage stage = DiskStage.open(folder, rawBytes * 3 / 2);
        CargoReceiver receiver = receiver(new Staged(), stage)) {
      ShipmentHandler first = receiver.accept(CargoBytes.headerOf(CARGO), new RecordingReplies(6));
      deliver(first, CargoBytes.framesOf(CARGO).subList(0, 1));
      deliver(accept(receiver), CargoBytes.framesOf(CARGO).subList(0, 1));
      assertFailed(Fault.BUSY, format("no room for %,d bytes now", rawBytes));
      first.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"));
      Waiting.await(() -> files().isEmpty());
    }
  }

  @Test
  void cleansUpAfterACrashAndLeavesWholeCargoesAlone() throws Exception {
    Path whole = Files.writeString(folder.resolve("a.cargo"), "whole");
    Files.writeString(folder.resolve("b.part"), "cut");
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES)) {
      assertThat(stage.maxBytes()).isEqualTo(MAX_BYTES);
      assertThat(files()).containsExactly(whole);
    }
  }

  @Test
  void folderHasOneStageAtATime() throws Exception {
    try (DiskStage stage = DiskStage.open(folder, MAX_BYTES)) {
      assertThatThrownBy(() -> DiskStage.open(folder, stage.maxBytes()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another stage uses this folder");
    }
    DiskStage.open(folder, MAX_BYTES).close();
  }

  private static CargoReceiver receiver(CargoCommitter committer, CargoStage stage) {
    return CargoReceiver.staging(committer, stage, new ReceiverLimits(1, 1, 4), 2).build();
  }

  private ShipmentHandler accept(CargoReceiver receiver) throws ShipmentException {
    return receiver.accept(CargoBytes.headerOf(CARGO), replies);
  }

  private static void deliver(ShipmentHandler handler, List<ByteBuffer> frames) {
    frames.forEach(frame -> handler.onFrame(Lease.ofHeap(frame)));
  }

  /** All but the lock. */
  private List<Path> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
