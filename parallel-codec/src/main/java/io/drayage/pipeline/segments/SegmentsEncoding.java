package io.drayage.pipeline.segments;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.compressor.Compressor;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.pipeline.CodecPool;
import io.drayage.pipeline.MeteredSending;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentEncoder;
import io.drayage.serializer.Serializer;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The encoding of one cargo. Every thread of the pool takes the next frame, largest first, until
 * none is left or one has failed; the threads share nothing but the counters below.
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
    new Attempt(shipment, buffers, pool.threadCount()).run(pool);
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
  private final class Attempt {
    private final Shipment shipment;
    private final BufferPool buffers;
    private final CountDownLatch running;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Attempt(Shipment shipment, BufferPool buffers, int threads) {
      this.shipment = shipment;
      this.buffers = buffers;
      this.running = new CountDownLatch(threads);
    }

    void run(CodecPool pool) throws ShipmentException, InterruptedException {
      for (int t = 0; t < pool.threadCount(); t++) {
        if (!pool.submit(this::encodeUntilDone)) {
          fail(
              new ShipmentException(Fault.CANCELLED, "the codec pool is closed or its queue full"));
          running.countDown();
        }
      }
      awaitThreads();
      Throwable cause = failure.get();
      if (cause != null) {
        throw ShipmentException.of(cause);
      }
    }

    /** The threads use the cargo and the shipment: they must have ended before this returns. */
    private void awaitThreads() throws InterruptedException {
      try {
        running.await();
      } catch (InterruptedException e) {
        fail(new ShipmentException(Fault.CANCELLED, "the sending thread was interrupted"));
        awaitUninterruptibly(running);
        throw e;
      }
    }

    private void encodeUntilDone(CodecPool.Worker codec) {
      metrics.threads().join(Stage.ENCODE);
      try {
        SegmentEncoder encoder = codec.encoder(serializer, compressor);
        int mine = next.getAndIncrement();
        while (mine < missing.length && failure.get() == null) {
          encodeAndSend(missing[mine], encoder);
          mine = next.getAndIncrement();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fail(e);
      } catch (ShipmentException | RuntimeException | Error e) {
        fail(e);
      } finally {
        running.countDown();
      }
    }

    private void encodeAndSend(int planned, SegmentEncoder encoder)
        throws ShipmentException, InterruptedException {
      List<Segment> run = plan.segments(planned);
      Lease frame = encodeMetered(run, encoder);
      int checksum = FrameHeader.checksum(frame.buffer());
      long bytes = frame.remainingBytes();
      MeteredSending.send(shipment, frame, metrics.outbound());
      checksums[planned] = checksum;
      wireBytes.addAndGet(bytes);
      if (sent[planned]) {
        resentBytes.addAndGet(bytes);
      }
      sent[planned] = true;
    }

    private Lease encodeMetered(List<Segment> run, SegmentEncoder encoder)
        throws InterruptedException {
      long waitedNs = encoder.bufferWaitNs();
      FrameMeter meter = new FrameMeter(metrics.encode());
      Lease frame = encoder.encode(run, contents, buffers, shipment.id());
      long waitNs = encoder.bufferWaitNs() - waitedNs;
      metrics.encode().addWait(waitNs);
      meter.end("encode", run, encoder.lastHeader(), compressor, frame.remainingBytes(), waitNs);
      return frame;
    }

    private void fail(Throwable cause) {
      if (failure.compareAndSet(null, cause)) {
        // Also wakes the threads that wait for a buffer: the shipment gives its frames back.
        shipment.cancel(ShipmentException.of(cause));
      }
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
