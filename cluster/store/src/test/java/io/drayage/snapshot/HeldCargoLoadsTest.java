package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.memory.Lease;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceivedCargo;
import io.drayage.receive.ReceiverLimits;
import io.drayage.segment.SegmentHeader;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests good, repeated, misplaced, surplus and missing frames in any order: whenever the cargo is
 * held, its recording loads back to the same cargo. A failure names its seed.
 */
@Timeout(600)
final class HeldCargoLoadsTest {
  private static final ReceiverLimits LIMITS =
      new ReceiverLimits(1 << 28, 1 << 29, 64, AllowedCodecs.INSTALLED);

  /** The kind of the shipped cargo. */
  private enum Shipped {
    SEGMENTS_RAW(Pipeline.SEGMENTS, "raw", "none"),
    SEGMENTS_COLUMNAR(Pipeline.SEGMENTS, "columnar", "zstd"),
    STREAM_MSGPACK(Pipeline.STREAM, "msgpack", "none"),
    STREAM_RAW(Pipeline.STREAM, "raw", "lz4");

    private final Pipeline pipeline;
    private final String serializer;
    private final String compressor;

    Shipped(Pipeline pipeline, String serializer, String compressor) {
      this.pipeline = pipeline;
      this.serializer = serializer;
      this.compressor = compressor;
    }

    ShippedFrames of(ChangeCargo cargo) throws Exception {
      return ShippedFrames.of(pipeline, CodecPair.of(serializer, compressor), cargo);
    }
  }

  private final MemoryObjects store = new MemoryObjects("memory:");
  private final SnapshotRecorder recorder = new SnapshotRecorder(store, Duration.ofMinutes(1));
  private final BlockingQueue<ReceivedCargo<CargoUpload>> committed = new LinkedBlockingQueue<>();
  private final CargoReceiver receiver =
      CargoReceiver.recording(this::commit, recorder, LIMITS, 2).build();
  private final SnapshotLoader loader = new SnapshotLoader(store, 1, 1 << 28, LIMITS.codecs());
  private final AtomicInteger openLeases = new AtomicInteger();

  private CompletableFuture<Long> commit(ReceivedCargo<CargoUpload> cargo) {
    committed.add(cargo);
    return cargo.recording().stored().thenApply(contents -> 1L);
  }

  @AfterEach
  void everyLeaseIsReleased() {
    Waiting.await(() -> openLeases.get() == 0 && recorder.underWay() == 0);
    loader.close();
    receiver.close();
    recorder.close();
  }

  @ParameterizedTest
  @EnumSource
  void whateverFramesComeWhatIsHeldLoadsBack(Shipped shipped) throws Exception {
    run(shipped, 0, 60);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("ci")
  void hundredsOfSequencesOfFrames(Shipped shipped) throws Exception {
    run(shipped, 60, 300);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void thousandsOfSequencesOfFrames(Shipped shipped) throws Exception {
    run(shipped, 300, 6_000);
  }

  private void run(Shipped shipped, long firstSeed, long endSeed) throws Exception {
    ShippedFrames good = shipped.of(RandomCargo.of(1, 1_500));
    ShippedFrames other = shipped.of(RandomCargo.of(2, 1_200));
    int held = 0;
    for (long seed = firstSeed; seed < endSeed; seed++) {
      try {
        held += new Attempt(good, other, new SplittableRandom(seed)).isHeldAndLoads() ? 1 : 0;
      } catch (Exception | AssertionError e) {
        throw new AssertionError(format("%s, seed %d: %s", shipped, seed, e), e);
      }
    }
    assertThat(held).as("held").isBetween(1, (int) (endSeed - firstSeed) - 1);
  }

  /** One shipment. */
  private final class Attempt {
    private final ShippedFrames good;
    private final ShippedFrames other;
    private final SplittableRandom random;
    private final RecordingReplies replies = new RecordingReplies(0);
    private final List<ByteBuffer> frames;

    Attempt(ShippedFrames good, ShippedFrames other, SplittableRandom random) {
      this.good = good;
      this.other = other;
      this.random = random;
      this.frames = new ArrayList<>(good.frames());
    }

    boolean isHeldAndLoads() throws Exception {
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        change();
      }
      if (random.nextBoolean()) {
        reseal();
      }
      ShipmentHandler handler = receiver.accept(good.header(), replies);
      int next = 0;
      if (handler.isResumable() && random.nextInt(3) == 0) {
        next = random.nextInt(frames.size());
        deliver(handler, frames.subList(0, next));
        resume(handler);
      }
      deliver(handler, frames.subList(next, frames.size()));
      awaitOutcome(handler);
      if (replies.whenHeld().isDone()) {
        requireLoads(committed.take());
        return true;
      }
      assertThat(committed).isEmpty();
      return false;
    }

    private void change() {
      int at = random.nextInt(frames.size());
      int to = random.nextInt(frames.size() + 1);
      switch (random.nextInt(8)) {
        case 0 -> frames.add(to, frames.get(at));
        case 1 -> Collections.swap(frames, at, random.nextInt(frames.size()));
        case 2 -> frames.remove(at);
        case 3 -> frames.add(to, other.frames().get(random.nextInt(other.frames().size())));
        case 4 -> frames.add(to, chunk(random.nextInt(3)));
        case 5 -> frames.add(chunk(random.nextInt(3)));
        case 6 -> frames.add(good.frames().get(random.nextInt(good.frames().size())));
        default -> frames.add(to, frames.get(frames.size() - 1));
      }
      if (frames.isEmpty()) {
        frames.add(chunk(0));
      }
    }

    private ByteBuffer chunk(int bytes) {
      return WireFrames.of(FrameType.CHUNK, 0, new byte[bytes]);
    }

    /** Seals again, for all frames, or for all frames before each seal. */
    private void reseal() {
      boolean ofAll = random.nextBoolean();
      Seal all = seal(frames);
      for (int i = 0; i < frames.size(); i++) {
        if (FrameHeader.type(frames.get(i)) == FrameType.SEAL) {
          Seal seal = ofAll ? all : seal(frames.subList(0, i));
          frames.set(i, seal.toFrame(FrameType.SEAL, 0));
        }
      }
    }

    private Seal seal(List<ByteBuffer> sealed) {
      Seal.Digest digest = new Seal.Digest();
      int chunks = 0;
      for (ByteBuffer frame : sealed) {
        switch (FrameHeader.type(frame)) {
          case SEGMENT ->
              digest.add(SegmentHeader.segmentIndex(frame), FrameHeader.checksum(frame));
          case CHUNK -> digest.add(chunks++, FrameHeader.checksum(frame));
          default -> {}
        }
      }
      return digest.seal();
    }

    /** Resumes as an honest worker: with the manifest, the missing frames, and the seal. */
    private void resume(ShipmentHandler handler) throws Exception {
      BitSet received;
      try {
        received = handler.settled().get();
      } catch (ExecutionException e) {
        return; // The shipment has failed.
      }
      List<ByteBuffer> missing = new ArrayList<>();
      for (ByteBuffer frame : good.frames()) {
        if (FrameHeader.type(frame) != FrameType.SEGMENT
            || !received.get(SegmentHeader.segmentIndex(frame))) {
          missing.add(frame);
        }
      }
      if (random.nextInt(4) == 0) {
        missing.add(random.nextInt(missing.size()), chunk(1));
      }
      deliver(handler, missing);
    }

    private void deliver(ShipmentHandler handler, List<ByteBuffer> sent) throws Exception {
      boolean alone = random.nextBoolean();
      List<Waiting.Running<Boolean>> loops = new ArrayList<>();
      for (ByteBuffer frame : sent) {
        Lease lease = WireFrames.lease(CargoBytes.copy(frame), openLeases);
        if (FrameHeader.type(frame) == FrameType.SEGMENT && handler.decodesHere(frame)) {
          if (alone || loops.size() > 3) {
            handler.onSegment(lease);
          } else {
            loops.add(
                Waiting.start(
                    () -> {
                      handler.onSegment(lease);
                      return true;
                    }));
          }
        } else {
          handler.onFrame(lease);
        }
      }
      for (Waiting.Running<Boolean> loop : loops) {
        loop.get();
      }
    }

    /** Waits for the outcome. A sealed stream has one; segments may wait for others for ever. */
    private void awaitOutcome(ShipmentHandler handler) throws Exception {
      boolean isSealed =
          frames.stream().anyMatch(frame -> FrameHeader.type(frame) == FrameType.SEAL);
      if (handler.isResumable()) {
        // After that, all frames are decoded.
        handler.settled().handle((received, failure) -> true).get();
      } else if (isSealed) {
        CompletableFuture.anyOf(replies.whenHeld(), replies.whenFailed()).get();
      }
      if (!replies.whenHeld().isDone()
          && !replies.whenFailed().isDone()
          && !handler.onAborted(new ShipmentException(Fault.PEER_GONE, "gone"))) {
        // The cargo is complete, and a thread is about to notify the listener.
        CompletableFuture.anyOf(replies.whenHeld(), replies.whenFailed()).get();
      }
      if (replies.whenFailed().isDone()
          && replies.whenFailed().get().outcome() == ShipmentException.Outcome.UNKNOWN) {
        // A frame behind the cargo was reported. Its commit goes on, maybe from before that report.
        replies.whenHeld().get(30, TimeUnit.SECONDS);
      }
    }

    private void requireLoads(ReceivedCargo<CargoUpload> held) throws Exception {
      SnapshotContents contents = held.recording().stored().get();
      assertThat(contents.seal()).isEqualTo(replies.whenHeld().get());
      assertThat(CargoDigest.of(loader.load(contents))).isEqualTo(CargoDigest.of(held.cargo()));
      store.delete(contents.data().key());
    }
  }
}
