package io.drayage.send;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.memory.LeaseSource;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.Stage;
import io.drayage.metrics.internal.FrameMeter;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Segment;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of one cargo: encodes frames, and knows the missing frames, largest first.
 *
 * <p>An encoding outlives the connections of a shipment: {@link #resume} sets the frames that
 * arrived, and the next {@link #encodeMissing} encodes the other frames anew, in an {@link
 * EncodingAttempt}, whose table names the thread of each frame. The seal covers the last sent
 * checksum of each frame. Not thread-safe, except for the methods that the attempt calls.
 */
final class SegmentsEncoding {
  /** The result if no frame is left to encode. */
  static final int NO_FRAME = -1;

  /** Maximum raw bytes of a single frame that is too small to wake a codec thread. */
  private static final long SMALL_BYTES = 64 << 10;

  private final FramePlan plan;
  private final List<PartContent> contents;
  private final Serializer serializer;
  private final Compressor compressor;
  private final Serializer raw = Serializers.ofId(Serializer.RAW_ID);
  private final DrayageMetrics metrics;

  /** The frames whose segments are serialized by {@code raw}. */
  private final BitSet rawFrames;

  /** Indexed by frame. The codec thread that encodes a frame writes its element. */
  private final int[] checksums;

  private final boolean[] sent;
  private final AtomicLong wireBytes = new AtomicLong();
  private final AtomicLong resentBytes = new AtomicLong();

  /** The missing frames, largest first. */
  private int[] missing;

  private boolean manifestMissing = true;

  /** Whether a frame is larger than the shipment may have. */
  private volatile boolean outgrown;

  SegmentsEncoding(
      FramePlan plan,
      ChangeCargo cargo,
      Serializer serializer,
      Compressor compressor,
      DrayageMetrics metrics) {
    this.plan = plan;
    this.contents = CargoAssembler.contentsOf(cargo);
    this.serializer = serializer;
    this.compressor = compressor;
    this.metrics = metrics;
    this.missing = plan.largestFirst();
    this.rawFrames = findRawFrames();
    this.checksums = new int[plan.frameCount()];
    this.sent = new boolean[plan.frameCount()];
  }

  /** Whether the sending thread encodes the missing frame itself. */
  boolean isSmall() {
    return missing.length == 1 && plan.estimatedRawBytes(missing[0]) <= SMALL_BYTES;
  }

  private BitSet findRawFrames() {
    BitSet frames = new BitSet();
    if (compressor.id() == Compressor.STORED_ID && !isSmall()) {
      BitSet parts = serializer.rawParts(contents);
      for (int frame = 0; frame < plan.frameCount() && !parts.isEmpty(); frame++) {
        frames.set(
            frame,
            plan.segments(frame).stream().allMatch(segment -> parts.get(segment.part().index())));
      }
    }
    return frames;
  }

  private Serializer serializer(int frame) {
    return rawFrames.get(frame) ? raw : serializer;
  }

  boolean isCheap(int frame) {
    return serializer(frame).isCheapWith(compressor);
  }

  /** Whether all missing frames are cheap. */
  boolean isCheap() {
    return Arrays.stream(missing).allMatch(this::isCheap);
  }

  /** Returns the missing frame with this index; {@link #NO_FRAME} if there are no more. */
  int missing(int index) {
    return index < missing.length ? missing[index] : NO_FRAME;
  }

  /**
   * Sets the segments that arrived before a loss.
   *
   * @param received the numbers of the segments that the transactor has received
   * @throws ShipmentException {@code PROTOCOL_VIOLATION} if these numbers are impossible
   */
  void resume(BitSet received) throws ShipmentException {
    manifestMissing = received.isEmpty();
    int[] stillMissing = new int[plan.frameCount()];
    int count = 0;
    for (int frame : plan.largestFirst()) {
      if (!isReceived(frame, received)) {
        stillMissing[count++] = frame;
      }
    }
    missing = Arrays.copyOf(stillMissing, count);
  }

  private boolean isReceived(int frame, BitSet received) throws ShipmentException {
    int first = plan.firstSegment(frame);
    int end = first + plan.segments(frame).size();
    int count = received.get(first, end).cardinality();
    if (count > 0 && (count < end - first || !sent[frame])) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          format(
              "the transactor states that it has %,d of the segments %,d to %,d, which were %s",
              count, first, end - 1, sent[frame] ? "sent in one frame" : "not sent to it"));
    }
    return count > 0;
  }

  /** Sends the missing frames, and a missing manifest. Returns when the last was offered. */
  void encodeMissing(Shipment shipment, CodecPool pool, BufferPool buffers)
      throws ShipmentException, InterruptedException {
    if (manifestMissing) {
      send(ManifestCodec.toFrame(plan.manifest(), shipment.id()), shipment, () -> {});
    }
    try (ByteBudget.Share share = buffers.openShare()) {
      new EncodingAttempt(this, shipment, share, pool, buffers, metrics.outbound()).run();
    }
  }

  /**
   * Sends the seal.
   *
   * @param whenSent run when the seal, and so every frame, has been handed to the wire
   */
  void seal(Shipment shipment, Runnable whenSent) throws ShipmentException, InterruptedException {
    send(arrivingSeal().toFrame(FrameType.SEAL, shipment.id()), shipment, whenSent);
  }

  private void send(ByteBuffer frame, Shipment shipment, Runnable whenSent)
      throws ShipmentException, InterruptedException {
    wireBytes.addAndGet(frame.remaining());
    shipment.send(new Lease(frame, whenSent), metrics.outbound());
  }

  /** Returns the seal of all frames that the transactor must have received in the end. */
  Seal arrivingSeal() {
    Seal.Digest digest = new Seal.Digest();
    for (int frame = 0; frame < checksums.length; frame++) {
      digest.add(plan.firstSegment(frame), checksums[frame]);
    }
    return digest.seal();
  }

  /** Whether the cargo has larger frames than the shipment's credit allows. */
  boolean isOutgrown() {
    return outgrown;
  }

  long wireBytes() {
    return wireBytes.get();
  }

  long resentBytes() {
    return resentBytes.get();
  }

  /**
   * Encodes a frame.
   *
   * @param waitNs the time that the frame waited for its buffer and its thread
   * @return null if {@code leases} could not lease a buffer that is large enough
   * @throws ShipmentException {@code LIMIT} if the shipment can never send the frame
   */
  @Nullable Lease tryEncode(
      int frame, CodecPool.CodecThread codec, LeaseSource leases, long waitNs, Shipment shipment)
      throws ShipmentException, InterruptedException {
    if (!codec.visits()) {
      metrics.threads().join(Stage.ENCODE);
    }
    SegmentEncoder encoder = codec.encoder(serializer(frame), compressor);
    List<Segment> run = plan.segments(frame);
    FrameMeter meter = new FrameMeter(metrics.encode());
    Lease lease = encoder.tryEncode(run, contents, leases, shipment.id());
    if (lease == null) {
      return null;
    }
    int frameBytes = lease.remainingBytes();
    metrics.encode().count(Metric.WAITS, Metric.WAIT_NS, waitNs);
    meter.end("encode", run, encoder.lastHeader(), compressor, frameBytes, waitNs);
    if (Credit.charge(frameBytes) > shipment.maxFrameBytes()) {
      outgrown = true;
      lease.release();
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "a frame of %,d bytes exceeds the %,d that the shipment has asked credit for",
              frameBytes, shipment.maxFrameBytes()));
    }
    return lease;
  }

  /** Counts a frame that the shipment has accepted. */
  void sent(int frame, int checksum, long frameBytes) {
    checksums[frame] = checksum;
    wireBytes.addAndGet(frameBytes);
    if (sent[frame]) {
      resentBytes.addAndGet(frameBytes);
    }
    sent[frame] = true;
    metrics.outbound().count(Metric.SENT_FRAMES, Metric.SENT_BYTES, frameBytes);
  }
}
