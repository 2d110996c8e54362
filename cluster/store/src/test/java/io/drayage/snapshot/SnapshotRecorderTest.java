package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.StreamSender;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.frame.StoreShare;
import io.drayage.memory.Lease;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceivedCargo;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ReceiverUse;
import io.drayage.receive.ShipmentRecording;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests shipments over a transport whose frames go to an object store. */
@Timeout(180)
final class SnapshotRecorderTest {
  private static final TransportOptions OPTIONS = TransportOptions.DEFAULT;
  private static final ReceiverLimits LIMITS =
      new ReceiverLimits(1 << 30, 1 << 30, 8, AllowedCodecs.INSTALLED);

  @TempDir private Path folder;
  private FaultyStore store;
  private SnapshotRecorder recorder;
  private CargoReceiver receiver;
  private TransportServer server;
  private LoopbackTransport transport;
  private CodecPool pool;
  private final BlockingQueue<SnapshotContents> stored = new LinkedBlockingQueue<>();

  /** Answers when the snapshot is stored. */
  private final class StoringCommitter implements CargoCommitter<CargoUpload> {
    @Override
    public CompletableFuture<Long> commit(ReceivedCargo<CargoUpload> received)
        throws ShipmentException {
      ChangeCargo cargo = received.cargo();
      CargoUpload recording = received.recording();
      if (cargo.baseSnapshot() == 13) {
        recording.discard();
        throw new ShipmentException(Fault.REJECTED, "no luck");
      }
      return recording
          .stored()
          .thenApply(
              contents -> {
                stored.add(contents);
                return cargo.baseSnapshot() + 1;
              });
    }
  }

  @BeforeEach
  void start() throws Exception {
    start(Duration.ofSeconds(30));
  }

  private void start(Duration stallTimeout) throws Exception {
    store = new FaultyStore(FolderStore.open(folder));
    recorder = new SnapshotRecorder(store, stallTimeout);
    receiver = CargoReceiver.recording(new StoringCommitter(), recorder, LIMITS, 2).build();
    transport = new LoopbackTransport();
    server = transport.listen(new InetSocketAddress(0), receiver, OPTIONS);
    pool = new CodecPool(2, "encode");
  }

  @AfterEach
  void stop() throws Exception {
    store.mend();
    server.close();
    receiver.close();
    recorder.close();
    pool.close();
    store.close();
  }

  private long send(Pipeline pipeline, CodecPair pair, ChangeCargo cargo) throws Exception {
    return send(pipeline, pair, cargo, SendOptions.DEFAULT);
  }

  private long send(Pipeline pipeline, CodecPair pair, ChangeCargo cargo, SendOptions options)
      throws Exception {
    TransportClient client = transport.client(server.address(), OPTIONS);
    try (CargoSender sender =
        pipeline == Pipeline.STREAM
            ? new StreamSender(client, pair.serializer(), pair.compressor(), "worker")
            : new SegmentsSender(client, pool, pair.serializer(), pair.compressor(), "worker")) {
      return sender.send(cargo, options).snapshotTimestamp();
    }
  }

  @Test
  void shipmentsUnderWayShareTheStore() throws Exception {
    StoreShare all = new StoreShare(1 << 20, 1 << 21, 3);
    try (SnapshotRecorder sharing =
        new SnapshotRecorder(store, Duration.ofSeconds(30), header -> all)) {
      ShipmentHeader header = header(new UUID(1, 1));
      CargoUpload first = sharing.begin(header, cause -> {});
      assertThat(sharing.share(header)).isEqualTo(all);
      CargoUpload second = sharing.begin(header(new UUID(1, 2)), cause -> {});
      assertThat(sharing.share(header)).isEqualTo(new StoreShare(1 << 19, 1 << 21, 3));
      first.discard();
      assertThat(sharing.share(header)).isEqualTo(all);
      second.discard();
    }
  }

  private static ShipmentHeader header(UUID transaction) {
    return new ShipmentHeader(
        transaction, 1, Pipeline.SEGMENTS, 2, 1, CommitOptions.DEFAULT, "worker");
  }

  private void assertLoads(ChangeCargo cargo) throws Exception {
    SnapshotContents contents = stored.take();
    assertThat(contents.header().transactionId()).isEqualTo(cargo.transactionId());
    try (SnapshotLoader loader = new SnapshotLoader(store, 2, 1L << 30, LIMITS.codecs())) {
      assertThat(CargoDigest.of(loader.load(contents))).isEqualTo(CargoDigest.of(cargo));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatArrivedIsWhatIsLoaded(Pipeline pipeline) throws Exception {
    ChangeCargo cargo = RandomCargo.of(1, 70_000);
    assertThat(send(pipeline, CodecPair.of("raw", "none"), cargo)).isEqualTo(2);
    assertLoads(cargo);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("ci")
  void everyCodecsSnapshotIsLoaded(Pipeline pipeline) throws Exception {
    ChangeCargo cargo = RandomCargo.of(2, 2_000);
    for (CodecPair pair : CodecPair.eachCodec()) {
      send(pipeline, pair, cargo);
      assertLoads(cargo);
    }
  }

  @Test
  void aRejectedCargoLeavesNothing() {
    ChangeCargo cargo = RandomCargo.of(13, 1000);
    assertThatThrownBy(() -> send(Pipeline.SEGMENTS, CodecPair.of("raw", "none"), cargo))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("no luck");
    awaitNothingLeft();
  }

  private void awaitNothingLeft() {
    Waiting.await(() -> recorder.underWay() == 0 && ReceiverUse.shipmentsUnderWay(receiver) == 0);
    Waiting.await(
        () ->
            store.list("").isEmpty()
                && store.deleteUnfinished(key -> true, Duration.ofDays(-1)) == 0);
  }

  @ParameterizedTest
  @EnumSource
  void aStoreThatIsFullEndsTheShipmentByName(Pipeline pipeline) throws Exception {
    CodecPair pair = CodecPair.of("raw", "none");
    for (long bytes : List.of(0L, 100_000L, 3_000_000L)) {
      store.failAfter(bytes);
      assertFails(
          pipeline,
          pair,
          Fault.BUSY,
          "the store cannot be written",
          "data/",
          "no space left on device");
    }
    store.make(FaultyStore.Trouble.COMPLETE);
    assertFails(pipeline, pair, Fault.REFUSED, "the snapshot cannot be stored", "connection reset");
    store.mend();
    awaitNothingLeft();
    ChangeCargo cargo = RandomCargo.of(4, 1000);
    send(pipeline, pair, cargo);
    assertLoads(cargo);
  }

  /** Ships without waiting, unlike a sender by default. */
  private void assertFails(Pipeline pipeline, CodecPair pair, Fault fault, String... messages) {
    SendOptions once = SendOptions.DEFAULT.withPatience(Duration.ofMillis(1));
    assertThatThrownBy(() -> send(pipeline, pair, RandomCargo.of(3, 20_000), once))
        .isInstanceOfSatisfying(
            ShipmentException.class,
            e -> {
              assertThat(e.fault()).isEqualTo(fault);
              assertThat(e).hasMessageContainingAll(messages);
            });
  }

  @ParameterizedTest
  @EnumSource
  void aStoreThatStallsEndsTheShipmentByName(Pipeline pipeline) throws Exception {
    stop();
    start(Duration.ofMillis(300));
    store.make(FaultyStore.Trouble.STALL);
    assertFails(
        pipeline,
        CodecPair.of("raw", "none"),
        Fault.REFUSED,
        "the snapshot cannot be stored",
        "made no progress");
    store.mend();
    awaitNothingLeft();
  }

  @Test
  void aRecordingIsBehindWhileTheStoreTakesNothing() throws Exception {
    ChangeCargo cargo = RandomCargo.of(7, 100);
    ShipmentRecording recording = recorder.begin(CargoBytes.headerOf(cargo), cause -> {});
    Waiting.await(() -> !recording.isBehind());
    store.make(FaultyStore.Trouble.STALL);
    List<ByteBuffer> frames = CargoBytes.framesOf(cargo);
    for (ByteBuffer frame : frames.subList(0, frames.size() - 1)) {
      recording.keep(new Lease(frame, () -> {}));
    }
    recording.seal(WireFrames.seal(frames.get(frames.size() - 1)));
    Waiting.await(recording::isBehind);

    store.mend();
    Waiting.await(() -> !recording.isBehind());
    recording.discard();
  }

  @Test
  void aStoreThatReturnsGarbageIsNotBelieved() throws Exception {
    send(Pipeline.SEGMENTS, CodecPair.of("raw", "none"), RandomCargo.of(6, 1000));
    SnapshotContents contents = stored.take();
    store.flipBitsOfReads(true);
    try (SnapshotLoader loader = new SnapshotLoader(store, 2, 1L << 30, LIMITS.codecs())) {
      assertThatThrownBy(() -> loader.load(contents))
          .hasMessageContaining(": " + contents.data().key() + ": corrupt");
    }
  }
}
