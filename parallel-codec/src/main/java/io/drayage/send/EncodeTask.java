package io.drayage.send;

import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.pool.CodecPool;
import io.drayage.codec.pool.FrameMeter;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.AcquiredBuffer;
import io.drayage.memory.BufferShare;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.segment.Segment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one frame of a shipment after another, without blocking a thread while it waits.
 *
 * <pre>
 *   next frame --> acquires a buffer --acquired--> pool: encode --> offer --accepted--> next frame
 *                        ^                            |             |  ^
 *                        '-- needs a larger buffer ---'        full '--' ready
 * </pre>
 *
 * Each arrow is passed by one thread, which hands the task to the next by way of the budget, the
 * queue of the pool or the shipment; so its fields need no lock. A shipment has as many tasks as
 * there are codec threads, and they queue in the pool with those of other shipments, one frame
 * each.
 */
final class EncodeTask implements CodecPool.Task, ByteBudget.AcquireListener {
  private final SegmentsEncoding.Attempt attempt;
  private final CodecPool pool;
  private final BufferShare buffers;
  private final DrayageMetrics metrics;
  private int frame;
  private int acquiredBytes;
  private long waitingSinceNs;
  private boolean waitsForShipment;

  /** Encoded, and not accepted by the shipment yet. */
  private @Nullable Lease encoded;

  EncodeTask(SegmentsEncoding.Attempt attempt, CodecPool pool, BufferShare buffers) {
    this.attempt = attempt;
    this.pool = pool;
    this.buffers = buffers;
    this.metrics = attempt.metrics();
  }

  /** Begins the next frame, or ends. */
  void begin() {
    frame = attempt.nextFrame();
    if (frame == SegmentsEncoding.NO_FRAME) {
      attempt.taskEnded();
      return;
    }
    waitingSinceNs = System.nanoTime();
    acquire(buffers.pooledBytes());
  }

  private void acquire(int bytes) {
    acquiredBytes = bytes;
    try {
      buffers.acquire(bytes, this);
    } catch (IllegalArgumentException e) {
      fail(e);
    }
  }

  @Override
  public void onAcquired() {
    if (!pool.submit(this)) {
      buffers.release(acquiredBytes);
      failClosed();
    }
  }

  @Override
  public void onShareClosed() {
    attempt.taskEnded();
  }

  @Override
  public void run(CodecPool.Worker codec) {
    if (encoded != null || encode(codec)) {
      offer();
    }
  }

  /** Whether there is a frame to be offered now. */
  private boolean encode(CodecPool.Worker codec) {
    long waitNs = System.nanoTime() - waitingSinceNs;
    try (AcquiredBuffer buffer = new AcquiredBuffer(buffers, acquiredBytes)) {
      metrics.threads().join(Stage.ENCODE);
      SegmentEncoder encoder = attempt.encoder(codec);
      List<Segment> run = attempt.segments(frame);
      FrameMeter meter = new FrameMeter(metrics.encode());
      encoded = encoder.tryEncode(run, attempt.contents(), buffer, attempt.shipment().id());
      acquiredBytes = buffer.neededBytes();
      if (encoded != null) {
        metrics.encode().addWait(waitNs);
        meter.end(
            "encode",
            run,
            encoder.lastHeader(),
            attempt.compressor(),
            encoded.remainingBytes(),
            waitNs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
      return false;
    } catch (RuntimeException | Error e) {
      fail(e);
      return false;
    }
    if (encoded == null) {
      acquire(acquiredBytes);
      return false;
    }
    return true;
  }

  private void offer() {
    Lease ready = encoded;
    if (ready == null) {
      throw new IllegalStateException("no frame was encoded");
    }
    int checksum = FrameHeader.checksum(ready.buffer());
    long bytes = ready.remainingBytes();
    try {
      if (!attempt.shipment().offer(ready)) {
        awaitShipment();
        return;
      }
    } catch (ShipmentException | RuntimeException | Error e) {
      ready.release();
      fail(e);
      return;
    }
    encoded = null;
    if (waitsForShipment) {
      waitsForShipment = false;
      metrics.outbound().addRoomWait(System.nanoTime() - waitingSinceNs);
    }
    metrics.outbound().addFrame(bytes);
    attempt.sent(frame, checksum, bytes);
    begin();
  }

  private void awaitShipment() {
    if (!waitsForShipment) {
      waitsForShipment = true;
      waitingSinceNs = System.nanoTime();
    }
    attempt.shipment().whenReady(this::offerAgain);
  }

  /** On a thread of the transport, which must not copy frames. */
  private void offerAgain() {
    if (!pool.submit(this)) {
      Lease unsent = encoded;
      if (unsent != null) {
        unsent.release();
      }
      failClosed();
    }
  }

  private void failClosed() {
    fail(new ShipmentException(Fault.CANCELLED, "the codec pool is closed or its queue full"));
  }

  private void fail(Throwable cause) {
    attempt.fail(cause);
    attempt.taskEnded();
  }
}
