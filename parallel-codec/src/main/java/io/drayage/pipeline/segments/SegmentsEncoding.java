package io.drayage.pipeline.segments;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.BufferShare;
import io.drayage.memory.Lease;
import io.drayage.memory.LeaseSource;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.pipeline.CodecPool;
import io.drayage.pipeline.MeteredSending;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Segment;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of one cargo. As many {@linkplain EncodingLane lanes} as the pool has threads take
 * the next frame each, largest first, until none is left or one has failed; they share nothing but
 * the counters below.
 *
 * <p>It outlives the connections of a shipment: {@link #resume} says which frames arrived, and the
 * next {@link #encodeMissing} makes the others anew. What counts for the seal is the checksum that
 * a frame had when it was sent last. For one thread, the sender's.
 */
final class SegmentsEncoding {
  private final FramePlan plan;
  private final List<PartContent> contents;
  private final Serializer serializer;
  private final Compressor compressor;
  private final DrayageMetrics metrics;

  /** By frame. An element is written by the codec thread that has taken the frame. */
  private final int[] checksums;

  private final boolean[] sent;
  private final AtomicLong wireBytes = new AtomicLong();
  private final AtomicLong resentBytes = new AtomicLong();

  /** Largest first. */
  private int[] missing;

  private boolean manifestMissing = true;

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
    this.checksums = new int[plan.frameCount()];
    this.sent = new boolean[plan.frameCount()];
  }

  /**
   * Takes note of what arrived before a loss.
   *
   * @param received the numbers of the segments that the transactor holds
   * @throws ShipmentException {@code FOREIGN} if that cannot be
   */
  void resume(BitSet received) throws ShipmentException {
    manifestMissing = received.isEmpty();
    int[] stillMissing = new int[plan.frameCount()];
    int count = 0;
    for (int frame : plan.largestFirst()) {
      if (!isHeld(frame, received)) {
        stillMissing[count++] = frame;
      }
    }
    missing = Arrays.copyOf(stillMissing, count);
  }

  private boolean isHeld(int frame, BitSet received) throws ShipmentException {
    int first = plan.firstSegment(frame);
    int end = first + plan.segments(frame).size();
    int held = received.get(first, end).cardinality();
    if (held > 0 && (held < end - first || !sent[frame])) {
      throw new ShipmentException(
          Fault.FOREIGN,
          "the transactor says that it holds %,d of the segments %,d to %,d, which were %s"
              .formatted(
                  held, first, end - 1, sent[frame] ? "sent in one frame" : "not sent to it"));
    }
    return held > 0;
  }

  /** Sends the manifest and the frames that are missing; returns when the last was offered. */
  void encodeMissing(Shipment shipment, CodecPool pool, BufferPool buffers)
      throws ShipmentException, InterruptedException {
    if (manifestMissing) {
      send(ManifestCodec.toFrame(plan.manifest(), shipment.id()), shipment, () -> {});
    }
    try (BufferShare share = buffers.openShare()) {
      new Attempt(shipment, pool, share).run();
    }
  }

  /**
   * Sends the seal.
   *
   * @param whenSent run when it, and so every frame, has been handed to the wire
   */
  void seal(Shipment shipment, Runnable whenSent) throws ShipmentException, InterruptedException {
    send(arrivingSeal().toFrame(FrameType.SEAL, shipment.id()), shipment, whenSent);
  }

  private void send(ByteBuffer frame, Shipment shipment, Runnable whenSent)
      throws ShipmentException, InterruptedException {
    wireBytes.addAndGet(frame.remaining());
    MeteredSending.send(shipment, new Lease(frame, whenSent), metrics.outbound());
  }

  /** What the transactor must hold in the end. */
  Seal arrivingSeal() {
    Seal.Digest digest = new Seal.Digest();
    for (int frame = 0; frame < checksums.length; frame++) {
      digest.add(plan.firstSegment(frame), checksums[frame]);
    }
    return digest.seal();
  }

  long wireBytes() {
    return wireBytes.get();
  }

  long resentBytes() {
    return resentBytes.get();
  }

  /** The threads of the pool at work on what is missing, over one shipment. */
  private final class Attempt implements EncodingLane.Work {
    private final Shipment shipment;
    private final CodecPool pool;
    private final BufferShare share;
    private final CountDownLatch running;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Attempt(Shipment shipment, CodecPool pool, BufferShare share) {
      this.shipment = shipment;
      this.pool = pool;
      this.share = share;
      this.running = new CountDownLatch(pool.threadCount());
    }

    void run() throws ShipmentException, InterruptedException {
      for (int lane = 0; lane < pool.threadCount(); lane++) {
        new EncodingLane(this, pool, share, shipment, metrics.outbound()).begin();
      }
      awaitLanes();
      Throwable cause = failure.get();
      if (cause != null) {
        throw ShipmentException.of(cause);
      }
    }

    /** The lanes use the cargo and the shipment: they must have ended before this returns. */
    private void awaitLanes() throws InterruptedException {
      try {
        running.await();
      } catch (InterruptedException e) {
        failed(new ShipmentException(Fault.CANCELLED, "the sending thread was interrupted"));
        awaitUninterruptibly(running);
        throw e;
      }
    }

    @Override
    public int next() {
      int mine = next.getAndIncrement();
      return mine < missing.length && failure.get() == null ? missing[mine] : NO_FRAME;
    }

    @Override
    public @Nullable Lease encode(
        int frame, CodecPool.Worker codec, LeaseSource buffer, long waitNs)
        throws InterruptedException {
      metrics.threads().join(Stage.ENCODE);
      SegmentEncoder encoder = codec.encoder(serializer, compressor);
      List<Segment> run = plan.segments(frame);
      FrameMeter meter = new FrameMeter(metrics.encode());
      Lease made = encoder.tryEncode(run, contents, buffer, shipment.id());
      if (made != null) {
        metrics.encode().addWait(waitNs);
        meter.end("encode", run, encoder.lastHeader(), compressor, made.remainingBytes(), waitNs);
      }
      return made;
    }

    @Override
    public void sent(int frame, int checksum, long frameBytes) {
      checksums[frame] = checksum;
      wireBytes.addAndGet(frameBytes);
      if (sent[frame]) {
        resentBytes.addAndGet(frameBytes);
      }
      sent[frame] = true;
    }

    @Override
    public void failed(Throwable cause) {
      if (failure.compareAndSet(null, cause)) {
        share.close();
        // Also wakes the lanes that wait for room, or for frames that are given back.
        shipment.cancel(ShipmentException.of(cause));
      }
    }

    @Override
    public void ended() {
      running.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
