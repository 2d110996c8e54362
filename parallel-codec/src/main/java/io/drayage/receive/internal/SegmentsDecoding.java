package io.drayage.receive.internal;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.Serializer;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Joined;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.UnusableLibraryException;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.internal.FrameMeter;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentHeader;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the segments of one shipment on the codec pool, each into its final place.
 *
 * <p>The event loop handles the seal, because that is a check of two numbers, and all of a small
 * cargo. Otherwise a codec thread reads the manifest, and segments that arrive meanwhile wait for
 * it. The thread that finishes the last frame compares the seal with the frames that arrived. No
 * thread waits. A seal that arrives before the last segments is kept until they are there.
 *
 * <p>After a loss of its connections the shipment resumes: {@link #settled} returns the received
 * segments, and allows the manifest and the seal once more.
 */
public final class SegmentsDecoding implements ShipmentHandler {
  /** The limit of a small cargo, and of its manifest: the event loop serves other shipments. */
  private static final long SMALL_BYTES = 16 << 10;

  private final ShipmentHeader header;
  private final Serializer serializer;
  private final Compressor compressor;
  private final boolean isCheap;
  private final boolean mayBeRaw;
  private final CodecPool pool;
  private final CargoIntake intake;
  private final DrayageMetrics metrics;
  private final FramesInFlight inFlight = new FramesInFlight();
  private final EarlyFrames early = new EarlyFrames();
  private final Queue<CompletableFuture<BitSet>> settling = new ConcurrentLinkedQueue<>();
  private final Seal.Digest digest = new Seal.Digest();

  /** The checksum of the manifest; null before it arrives. Used on the event loop. */
  private @Nullable Integer manifestChecksum;

  /** Whether the cargo is small. Set before {@link #sink}. */
  private volatile boolean isSmall;

  /** Whether the manifest may arrive again, because the shipment has been resumed. */
  private volatile boolean resumed;

  /** Set by the manifest; cleared when the shipment is over, to free its memory at once. */
  private volatile @Nullable CargoSink sink;

  private volatile @Nullable Seal seal;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicBoolean complete = new AtomicBoolean();
  private final AtomicBoolean logged = new AtomicBoolean();

  /**
   * @param header the worker's announcement
   * @param metrics counts the decoding
   */
  public SegmentsDecoding(
      ShipmentHeader header,
      Serializer serializer,
      Compressor compressor,
      CodecPool pool,
      CargoIntake intake,
      DrayageMetrics metrics) {
    this.header = header;
    this.serializer = serializer;
    this.compressor = compressor;
    this.isCheap = serializer.isCheapWith(compressor);
    this.mayBeRaw = compressor.id() == Compressor.STORED_ID;
    this.pool = pool;
    this.intake = intake;
    this.metrics = metrics;
  }

  /** Returns the refusal of a closed receiver. The same transaction may be sent elsewhere. */
  public static ShipmentException shuttingDown() {
    return new ShipmentException(Fault.CANCELLED, "the transactor is shutting down");
  }

  @Override
  public void onFrame(Lease frame) {
    if (complete.get() || over.get()) {
      frame.release();
      return;
    }
    inFlight.begin();
    boolean passedOn = false;
    try {
      FrameType type = FrameHeader.type(frame.buffer());
      if (type != FrameType.MANIFEST && manifestChecksum == null) {
        throw violation("a %s frame before the manifest".formatted(type));
      }
      passedOn =
          switch (type) {
            case MANIFEST -> onManifest(frame);
            case SEGMENT -> early.keep(frame) || submit(codec -> decode(codec, frame));
            case SEAL -> onSeal(FrameHeader.verify(frame.buffer()));
            default -> throw violation("a %s frame in a shipment of segments".formatted(type));
          };
    } catch (ShipmentException e) {
      fail(e);
    } catch (Throwable e) {
      // The event loop serves other shipments and must survive.
      fail(Fault.INTERNAL, "a frame cannot be received", e);
    }
    if (!passedOn) {
      frame.release();
      endOne();
    }
  }

  @Override
  public boolean decodesHere(ByteBuffer segment) {
    boolean isFew = isSmall && segment.remaining() <= SMALL_BYTES;
    return sink != null && (isCheap || isFew || (mayBeRaw && isRaw(segment)));
  }

  private static boolean isRaw(ByteBuffer segment) {
    return SegmentHeader.serializerId(segment) == Serializer.RAW_ID;
  }

  @Override
  public void onSegment(Lease frame) {
    inFlight.begin();
    if (!pool.runHere(codec -> decode(codec, frame))) {
      frame.release();
      fail(shuttingDown());
      endOne();
    }
  }

  /** Passes a frame to the codec pool, which limits the number of tasks. */
  private boolean submit(CodecPool.Task task) throws ShipmentException {
    if (pool.submit(task)) {
      return true;
    }
    throw pool.isClosed()
        ? shuttingDown()
        : new ShipmentException(
            Fault.LIMIT, "the queue of the codec pool is full: too many tiny frames");
  }

  private boolean onManifest(Lease frame) throws ShipmentException {
    Integer earlier = manifestChecksum;
    int checksum = FrameHeader.checksum(frame.buffer());
    if (earlier == null) {
      manifestChecksum = checksum;
      Manifest manifest = frame.remainingBytes() <= SMALL_BYTES ? manifest(frame) : null;
      if (manifest == null || manifest.memoryBytes() > SMALL_BYTES) {
        return submit(codec -> readManifest(frame));
      }
      isSmall = true;
      open(manifest, frame);
      List<Lease> unused = early.open(); // Nothing came before.
      return false;
    }
    if (!resumed || earlier != checksum) {
      throw new ShipmentException(Fault.MANIFEST, "the manifest came twice");
    }
    return false;
  }

  private Manifest manifest(Lease frame) throws ShipmentException {
    return ManifestCodec.ofPayload(FrameHeader.verify(frame.buffer()), intake.maxCargoBytes());
  }

  private void open(Manifest manifest, Lease frame) throws ShipmentException {
    manifest.requireOf(header);
    sink = intake.open(manifest, frame);
    if (over.get()) {
      sink = null;
    }
  }

  /** Reads the manifest, on a codec thread. */
  private void readManifest(Lease frame) {
    metrics.threads().join(Stage.DECODE);
    try (frame) {
      open(manifest(frame), frame);
    } catch (ShipmentException e) {
      fail(e);
    } catch (Throwable e) {
      fail(Fault.INTERNAL, "the manifest cannot be received", e);
    } finally {
      try {
        early.open().forEach(this::decodeLater);
      } finally {
        endOne();
      }
    }
  }

  private void decodeLater(Lease frame) {
    try {
      submit(codec -> decode(codec, frame));
    } catch (ShipmentException e) {
      frame.release();
      fail(e);
      endOne();
    }
  }

  /** Keeps the seal. The frame stays the caller's. */
  private boolean onSeal(ByteBuffer payload) throws ShipmentException {
    if (seal != null) {
      throw violation("a second seal");
    }
    seal = Seal.ofPayload(payload);
    return false;
  }

  private void decode(CodecPool.CodecThread codec, Lease frame) {
    try (frame) {
      CargoSink target = sink;
      if (target != null) {
        if (!codec.visits()) {
          metrics.threads().join(Stage.DECODE);
        }
        FrameMeter meter = new FrameMeter(metrics.decode());
        SegmentDecoder decoder = codec.decoder(serializer, compressor);
        int frameBytes = frame.remainingBytes();
        int checksum = FrameHeader.checksum(frame.buffer());
        SegmentHeader decoded = decoder.decode(FrameHeader.verify(frame.buffer()), target);
        digest.add(decoded.segmentIndex(), checksum);
        intake.decoded(frame, decoder.lastRun().size());
        meter.end("decode", decoder.lastRun(), decoded, compressor, frameBytes, 0);
      }
    } catch (ShipmentException e) {
      fail(e);
    } catch (LinkageError | UnusableLibraryException e) { // The bytes are not at fault.
      fail(Fault.INTERNAL, "a codec cannot be loaded here", e);
    } catch (VirtualMachineError e) { // The bytes are not at fault either.
      fail(Fault.INTERNAL, "a segment cannot be decoded here", e);
    } catch (Throwable e) {
      fail(Fault.DECODE, "a segment cannot be decoded", e);
    } finally {
      endOne();
    }
  }

  /** Ends a frame. Call this after the decoder's lease is released. */
  private void endOne() {
    long counts = inFlight.end();
    if (FramesInFlight.isIdle(counts)) {
      completeIfAllIsThere(counts);
      answerSettling(counts);
    }
  }

  /** Completes the cargo. Called by a thread that has seen that no frame is in flight. */
  private void completeIfAllIsThere(long idleCounts) {
    CargoSink target = sink;
    Seal stated = seal;
    if (target == null || stated == null) {
      return;
    }
    Seal arrived = digest.seal();
    boolean isComplete = target.isComplete();
    if (!inFlight.isUnchanged(idleCounts)) {
      // Another frame arrived meanwhile; the thread that ends it checks again.
      return;
    }
    if (arrived.frameCount() < stated.frameCount() && !isComplete) {
      return;
    }
    try {
      if (!isComplete) {
        throw new ShipmentException(
            Fault.SEGMENT_MISSING,
            format(
                "%s is missing, though all %,d frames of the seal came",
                target.firstMissing(), stated.frameCount()));
      }
      stated.requireSameAs(arrived);
      if (!complete.compareAndSet(false, true)) {
        return;
      }
      sink = null;
      intake.received(arrived);
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
    inFlight.begin();
    settling.add(answer);
    endOne();
    return answer;
  }

  /** Answers {@link #settled}. No frame arrives before the answer, so the state does not change. */
  private void answerSettling(long idleCounts) {
    if (settling.isEmpty() || !inFlight.isUnchanged(idleCounts)) {
      return;
    }
    if (over.get()) {
      failSettling();
      return;
    }
    BitSet received = complete.get() ? Joined.everySegment() : claimed();
    for (var answer = settling.poll(); answer != null; answer = settling.poll()) {
      answer.complete(received);
    }
  }

  private BitSet claimed() {
    CargoSink target = sink;
    // Resent frames may have other checksums, so another seal will arrive.
    seal = null;
    resumed = true;
    return target == null ? new BitSet() : target.claimed();
  }

  private void failSettling() {
    ShipmentException over =
        new ShipmentException(Fault.EXPIRED, "the shipment is over, it cannot be resumed");
    for (var answer = settling.poll(); answer != null; answer = settling.poll()) {
      answer.completeExceptionally(over);
    }
  }

  /**
   * Fails the shipment unexpectedly. Only the first of several threads logs. There may be no memory
   * left, so the decoded cargo is dropped first.
   */
  private void fail(Fault fault, String what, Throwable cause) {
    if (cause instanceof OutOfMemoryError) {
      sink = null;
      intake.dropMemory();
    }
    fail(
        logged.getAndSet(true)
            ? ShipmentException.of(fault, what, cause)
            : ReceiverLog.unexpected(fault, what, header, cause));
  }

  private void fail(ShipmentException cause) {
    intake.failed(cause);
    boolean unused = onAborted(cause);
  }

  /** Drops the received frames, unless the cargo is complete. May be called again. */
  @Override
  public boolean onAborted(ShipmentException cause) {
    if (complete.get()) {
      return false;
    }
    if (over.compareAndSet(false, true)) {
      sink = null;
      for (Lease frame : early.open()) {
        frame.release();
        endOne();
      }
    }
    return true;
  }

  private static ShipmentException violation(String what) {
    return new ShipmentException(Fault.PROTOCOL_VIOLATION, what);
  }
}
