package io.drayage.pipeline.segments;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.Serializer;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Joined;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.pipeline.CargoIntake;
import io.drayage.pipeline.CodecPool;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentHeader;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Receives one cargo as segments, and decodes them on the codec pool, each into its final place.
 *
 * <p>Only the seal is handled where it arrives, on the event loop: that is a check of two numbers.
 * The manifest, which may be large, is read on a codec thread, and segments that arrive meanwhile
 * wait for it. Whoever finishes the last frame compares the seal with what arrived; nobody waits.
 * The seal may come before the last segments: then it is kept until they are there.
 *
 * <p>After a loss of its connections the shipment goes on where it was: {@link #settled} says which
 * segments are held, and lets the manifest and the seal come once more.
 */
public final class SegmentsReceiver implements ShipmentHandler {
  private enum State {
    RECEIVING,
    HELD,
    OVER
  }

  private final ShipmentHeader header;
  private final Serializer serializer;
  private final Compressor compressor;
  private final CodecPool pool;
  private final CargoIntake intake;
  private final ShipmentReplies replies;
  private final DrayageMetrics metrics;

  private final AtomicReference<State> state = new AtomicReference<>(State.RECEIVING);

  private final FramesUnderWay underWay = new FramesUnderWay();
  private final EarlyFrames early = new EarlyFrames();
  private final Queue<CompletableFuture<BitSet>> settling = new ConcurrentLinkedQueue<>();
  private final Seal.Digest digest = new Seal.Digest();

  /** The checksum of the manifest once it has come. On the event loop. */
  private @Nullable Integer manifestChecksum;

  /** Whether the manifest that came may come again: the shipment has been resumed. */
  private volatile boolean resumed;

  /** Set by the manifest, cleared on failure so that what it took goes at once. */
  private volatile @Nullable CargoSink sink;

  private volatile @Nullable Seal seal;

  /**
   * @param intake asked when the manifest has come; gets the complete, verified cargo
   * @param metrics counts what is decoded
   */
  public SegmentsReceiver(
      ShipmentHeader header,
      Serializer serializer,
      Compressor compressor,
      CodecPool pool,
      CargoIntake intake,
      ShipmentReplies replies,
      DrayageMetrics metrics) {
    this.header = header;
    this.serializer = serializer;
    this.compressor = compressor;
    this.pool = pool;
    this.intake = intake;
    this.replies = replies;
    this.metrics = metrics;
  }

  @Override
  public void onFrame(Lease frame) {
    if (state.get() != State.RECEIVING) {
      frame.close();
      return;
    }
    underWay.begin();
    boolean passedOn = false;
    try {
      FrameType type = FrameHeader.type(frame.buffer());
      if (type != FrameType.MANIFEST && manifestChecksum == null) {
        throw foreign("a %s frame before the manifest".formatted(type));
      }
      passedOn =
          switch (type) {
            case MANIFEST -> onManifest(frame);
            case SEGMENT -> early.keep(frame) || submit(codec -> decode(codec, frame));
            case SEAL -> onSeal(FrameHeader.verify(frame.buffer()));
            default -> throw foreign("a %s frame in a shipment of segments".formatted(type));
          };
    } catch (ShipmentException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      // Not the event loop's trouble: it serves other shipments.
      fail(new ShipmentException(Fault.INTERNAL, "a frame cannot be received: " + e, e));
    }
    if (!passedOn) {
      frame.close();
      endOne();
    }
  }

  /** Hands a frame to the codec pool, which is bounded in the number of tasks. */
  private boolean submit(CodecPool.Task task) throws ShipmentException {
    if (!pool.submit(task)) {
      throw new ShipmentException(
          Fault.LIMIT, "the queue of the codec pool is full: too many tiny frames");
    }
    return true;
  }

  private boolean onManifest(Lease frame) throws ShipmentException {
    Integer earlier = manifestChecksum;
    int checksum = FrameHeader.checksum(frame.buffer());
    if (earlier == null) {
      manifestChecksum = checksum;
      return submit(codec -> readManifest(frame));
    }
    if (!resumed || earlier != checksum) {
      throw new ShipmentException(Fault.MANIFEST, "the manifest came twice");
    }
    return false;
  }

  /** On a codec thread. */
  private void readManifest(Lease frame) {
    metrics.threads().join(Stage.DECODE);
    try (frame) {
      Manifest manifest =
          ManifestCodec.ofPayload(FrameHeader.verify(frame.buffer()), intake.maxCargoBytes());
      requireSameTransaction(manifest);
      sink = intake.open(manifest, frame.buffer());
      if (state.get() == State.OVER) {
        dropSink();
      }
    } catch (ShipmentException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new ShipmentException(Fault.INTERNAL, "the manifest cannot be received: " + e, e));
    }
    early.open().forEach(this::decodeLater);
    endOne();
  }

  private void requireSameTransaction(Manifest manifest) throws ShipmentException {
    if (!manifest.transactionId().equals(header.transactionId())
        || manifest.baseSnapshot() != header.baseSnapshot()) {
      throw new ShipmentException(
          Fault.MANIFEST,
          "the manifest is of transaction %s on snapshot %d, the shipment of %s on %d"
              .formatted(
                  manifest.transactionId(),
                  manifest.baseSnapshot(),
                  header.transactionId(),
                  header.baseSnapshot()));
    }
  }

  private void decodeLater(Lease frame) {
    try {
      submit(codec -> decode(codec, frame));
    } catch (ShipmentException e) {
      frame.close();
      fail(e);
      endOne();
    }
  }

  /** Never keeps the frame. */
  private boolean onSeal(ByteBuffer payload) throws ShipmentException {
    if (seal != null) {
      throw foreign("a second seal");
    }
    seal = Seal.ofPayload(payload);
    return false;
  }

  private void decode(CodecPool.Worker codec, Lease frame) {
    try (frame) {
      CargoSink target = sink;
      if (target != null) {
        metrics.threads().join(Stage.DECODE);
        FrameMeter meter = new FrameMeter(metrics.decode());
        SegmentDecoder decoder = codec.decoder(serializer, compressor);
        int frameBytes = frame.remainingBytes();
        int checksum = FrameHeader.checksum(frame.buffer());
        SegmentHeader decoded = decoder.decode(FrameHeader.verify(frame.buffer()), target);
        target.keep(frame.buffer());
        digest.add(decoded.segmentIndex(), checksum);
        meter.end("decode", decoder.lastRun(), decoded, compressor, frameBytes, 0);
      }
    } catch (ShipmentException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new ShipmentException(Fault.DECODE, "a segment cannot be decoded: " + e, e));
    }
    endOne();
  }

  /** To be called when the frame's lease is closed. */
  private void endOne() {
    long state = underWay.end();
    if (FramesUnderWay.isIdle(state)) {
      completeIfAllIsThere(state);
      answerSettling(state);
    }
  }

  /** By a thread that has seen that no frame is under way. */
  private void completeIfAllIsThere(long idleState) {
    CargoSink target = sink;
    Seal stated = seal;
    if (target == null || stated == null) {
      return;
    }
    Seal arrived = digest.seal();
    boolean complete = target.isComplete();
    if (!underWay.isUnchanged(idleState)) {
      // Another frame came meanwhile: whoever ends it looks again.
      return;
    }
    if (arrived.frameCount() < stated.frameCount() && !complete) {
      return;
    }
    try {
      if (!complete) {
        throw new ShipmentException(
            Fault.SEGMENT_MISSING,
            "%s is missing, though all %,d frames of the seal came"
                .formatted(target.firstMissing(), stated.frameCount()));
      }
      stated.requireSameAs(arrived);
      if (state.compareAndSet(State.RECEIVING, State.HELD)) {
        replies.held(arrived);
        // What it took is the database's from now on.
        sink = null;
        intake.whenHeld(target, arrived);
      }
    } catch (ShipmentException e) {
      fail(e);
    }
  }

  @Override
  public boolean isResumable() {
    return true;
  }

  @Override
  public CompletableFuture<BitSet> settled() {
    CompletableFuture<BitSet> answer = new CompletableFuture<>();
    underWay.begin();
    settling.add(answer);
    endOne();
    return answer;
  }

  /** No frame comes until this has been answered, so that nobody else touches what it reads. */
  private void answerSettling(long idleState) {
    if (settling.isEmpty() || !underWay.isUnchanged(idleState)) {
      return;
    }
    BitSet held = new BitSet();
    switch (state.get()) {
      case HELD -> held = Joined.everySegment();
      case OVER -> {
        failSettling();
        return;
      }
      case RECEIVING -> {
        CargoSink target = sink;
        held = target == null ? held : target.claimed();
        // Frames that are made once more may have other checksums: another seal will come.
        seal = null;
        resumed = true;
      }
    }
    for (var answer = settling.poll(); answer != null; answer = settling.poll()) {
      answer.complete(held);
    }
  }

  private void failSettling() {
    ShipmentException over =
        new ShipmentException(Fault.EXPIRED, "the shipment is over, it cannot be resumed");
    for (var answer = settling.poll(); answer != null; answer = settling.poll()) {
      answer.completeExceptionally(over);
    }
  }

  private void fail(ShipmentException cause) {
    if (endReceiving()) {
      replies.failed(cause);
    }
  }

  @Override
  public void onAborted(ShipmentException cause) {
    endReceiving();
  }

  private boolean endReceiving() {
    boolean ended = state.compareAndSet(State.RECEIVING, State.OVER);
    if (ended) {
      dropSink();
      for (Lease frame : early.open()) {
        frame.close();
        endOne();
      }
    }
    return ended;
  }

  /** Two may do this at a time; the sink does not mind. It may block, an event loop must not. */
  private void dropSink() {
    CargoSink dropped = sink;
    sink = null;
    if (dropped != null && !pool.submit(codec -> dropped.abort())) {
      dropped.abort();
    }
  }

  private static ShipmentException foreign(String what) {
    return new ShipmentException(Fault.FOREIGN, what);
  }
}
