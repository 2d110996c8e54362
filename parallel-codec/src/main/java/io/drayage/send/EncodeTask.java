package io.drayage.send;

import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.FatalErrors;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.memory.LeaseSource;
import io.drayage.transport.Shipment;
import java.util.Objects;
import java.util.function.Consumer;
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
 * queue of the pool or the shipment; so its fields need no lock. Whatever calls it, what is thrown
 * fails the attempt and ends the task, which nobody else would do. A shipment has as many tasks as
 * there are codec threads, and they queue in the pool with those of other shipments, one frame
 * each.
 */
final class EncodeTask
    implements CodecPool.Task, Shipment.Producer, ByteBudget.AcquireListener, LeaseSource {
  private final SegmentsEncoding.Attempt attempt;
  private final Shipment shipment;
  private final ByteBudget.Share share;
  private final CodecPool pool;
  private final BufferPool buffers;
  private int frame;

  /** What was asked for: the buffer for the next frame. */
  private int requestedBytes;

  /** What the encoder may lease without asking for more. */
  private int pooledBytes;

  /** What was acquired of the attempt's share and is not leased. */
  private int acquiredBytes;

  private long waitingSinceNs;
  private boolean waitsForShipment;
  private boolean ended;

  /** Encoded, and not accepted by the shipment yet. */
  private @Nullable Lease encoded;

  EncodeTask(
      SegmentsEncoding.Attempt attempt,
      Shipment shipment,
      ByteBudget.Share share,
      CodecPool pool,
      BufferPool buffers) {
    this.attempt = attempt;
    this.shipment = shipment;
    this.share = share;
    this.pool = pool;
    this.buffers = buffers;
  }

  /** Begins the next frame, or ends. Does not throw. */
  void begin() {
    frame = attempt.nextFrame();
    if (frame == SegmentsEncoding.NO_FRAME) {
      end();
      return;
    }
    waitingSinceNs = System.nanoTime();
    acquire(buffers.pooledBytes());
  }

  private void acquire(int bytes) {
    requestedBytes = bytes;
    try {
      share.acquire(bytes, this);
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Does not throw: others may have acquired at the same time, and are told after it. */
  @Override
  public void onAcquired() {
    pooledBytes = requestedBytes;
    acquiredBytes = requestedBytes;
    try {
      if (!isTaken()) {
        failRefused();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Hands the frame to whoever encodes it. */
  private boolean isTaken() {
    return switch (attempt.whereToEncode(frame)) {
      case ON_A_WRITER -> {
        shipment.whenIdle(this);
        yield true;
      }
      case HERE -> pool.tryRunHere(this) || pool.submit(this);
      case ON_THE_POOL -> pool.submit(this);
    };
  }

  @Override
  public void onShareClosed() {
    end();
  }

  @Override
  public void run(CodecPool.CodecThread codec) {
    try {
      if (encoded != null || encode(codec)) {
        offer();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  public void produce(Consumer<Lease> connection) {
    try {
      if (!pool.runHere(codec -> produce(codec, connection))) {
        failRefused();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void produce(CodecPool.CodecThread codec, Consumer<Lease> connection) {
    try {
      if (encode(codec)) {
        Lease ready = Objects.requireNonNull(encoded);
        int checksum = FrameHeader.checksum(ready.buffer());
        long bytes = ready.remainingBytes();
        connection.accept(ready);
        sent(checksum, bytes);
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  public void onOver(ShipmentException cause) {
    fail(cause);
  }

  /** Whether there is a frame to be offered now. */
  private boolean encode(CodecPool.CodecThread codec) throws ShipmentException {
    try {
      encoded = tryEncode(codec);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
      return false;
    }
    if (encoded == null) {
      acquire(requestedBytes);
      return false;
    }
    return true;
  }

  private @Nullable Lease tryEncode(CodecPool.CodecThread codec)
      throws ShipmentException, InterruptedException {
    try {
      return attempt.tryEncode(frame, codec, this, System.nanoTime() - waitingSinceNs);
    } finally {
      releaseUnused();
    }
  }

  @Override
  public int pooledBytes() {
    return pooledBytes;
  }

  /**
   * Leases from the acquired bytes. A larger buffer is leased if the difference can be acquired at
   * once; if not, this is null, and {@link #requestedBytes} what to acquire.
   */
  @Override
  public @Nullable Lease lease(int minBytes) {
    int capacity = Math.max(minBytes, buffers.pooledBytes());
    if (capacity > acquiredBytes) {
      if (!share.tryAcquire(capacity - acquiredBytes)) {
        requestedBytes = capacity;
        return null;
      }
      acquiredBytes = capacity;
    }
    int leased = acquiredBytes;
    acquiredBytes = 0;
    return buffers.leaseAcquired(leased, share::release);
  }

  private void releaseUnused() {
    if (acquiredBytes > 0) {
      share.release(acquiredBytes);
      acquiredBytes = 0;
    }
  }

  private void offer() throws ShipmentException {
    Lease ready = encoded;
    if (ready == null) {
      throw new IllegalStateException("no frame was encoded");
    }
    int checksum = FrameHeader.checksum(ready.buffer());
    long bytes = ready.remainingBytes();
    if (shipment.offer(ready)) {
      sent(checksum, bytes);
    } else {
      awaitShipment();
    }
  }

  private void sent(int checksum, long bytes) {
    encoded = null;
    long waitNs = waitsForShipment ? System.nanoTime() - waitingSinceNs : 0;
    boolean waited = waitsForShipment;
    waitsForShipment = false;
    attempt.sent(frame, checksum, bytes, waited, waitNs);
    begin();
  }

  private void awaitShipment() {
    if (!waitsForShipment) {
      waitsForShipment = true;
      waitingSinceNs = System.nanoTime();
    }
    shipment.whenReady(this::offerAgain);
  }

  /** On a thread of the transport, which must not copy frames. */
  private void offerAgain() {
    try {
      if (!pool.submit(this)) {
        failRefused();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void failRefused() {
    fail(new ShipmentException(Fault.CANCELLED, pool.refusal()));
  }

  /** Does not throw. */
  private void fail(Throwable cause) {
    try {
      FatalErrors.report(cause);
      releaseUnused();
      Lease unsent = encoded;
      if (unsent != null) {
        encoded = null;
        unsent.release();
      }
      attempt.fail(cause);
    } catch (OutOfMemoryError e) {
      FatalErrors.report(e); // The attempt tells the other tasks again.
    } finally {
      end();
    }
  }

  /** The sending thread waits for this: it must come once, whatever else fails. */
  private void end() {
    if (!ended) {
      ended = true;
      attempt.taskEnded();
    }
  }
}
