package io.drayage.pipeline.segments;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.AcquiredBuffer;
import io.drayage.memory.BufferShare;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.memory.LeaseSource;
import io.drayage.metrics.OutboundCounters;
import io.drayage.pipeline.CodecPool;
import io.drayage.transport.FrameSink;
import org.jspecify.annotations.Nullable;

/**
 * One frame of a shipment after another, without ever holding a thread while it waits.
 *
 * <pre>
 *   next frame --> asks the budget --granted--> pool: encode --> offer --taken--> next frame
 *                        ^                            |            |  ^
 *                        '-- needs a larger buffer ---'     no room'--'ready
 * </pre>
 *
 * Each arrow is passed by one thread, which leaves the lane to the next by way of the budget, the
 * queue of the pool or the sink; so its fields need no lock. A shipment has as many lanes as there
 * are threads, and they stand in the pool's queue with those of other shipments, one frame each.
 */
final class EncodingLane implements ByteBudget.AcquireListener {
  private final Work work;
  private final CodecPool pool;
  private final BufferShare buffers;
  private final FrameSink sink;
  private final OutboundCounters counters;
  private int frame;
  private int askedBytes;
  private long waitingSinceNs;
  private @Nullable Lease made;
  private boolean waitedForRoom;

  /** What the lanes of a shipment do together. Called by all of them at the same time. */
  interface Work {
    int NO_FRAME = -1;

    /** The frame to make next; {@link #NO_FRAME} if none is left, or one has failed. */
    int next();

    /**
     * Makes a frame.
     *
     * @param waitNs how long it has waited for its buffer
     * @return null if the buffer was too small
     */
    @Nullable Lease encode(int frame, CodecPool.Worker codec, LeaseSource buffer, long waitNs)
        throws InterruptedException;

    /** The sink has taken the frame. */
    void sent(int frame, int checksum, long frameBytes);

    /** The shipment cannot go on. */
    void failed(Throwable cause);

    /** The lane has come to its end: nothing of the shipment is used by it any more. */
    void ended();
  }

  EncodingLane(
      Work work, CodecPool pool, BufferShare buffers, FrameSink sink, OutboundCounters counters) {
    this.work = work;
    this.pool = pool;
    this.buffers = buffers;
    this.sink = sink;
    this.counters = counters;
  }

  /** Takes the next frame, or ends. */
  void begin() {
    frame = work.next();
    if (frame == Work.NO_FRAME) {
      work.ended();
      return;
    }
    waitingSinceNs = System.nanoTime();
    ask(buffers.pooledBytes());
  }

  private void ask(int bytes) {
    askedBytes = bytes;
    try {
      buffers.acquire(bytes, this);
    } catch (IllegalArgumentException e) {
      fail(e);
    }
  }

  @Override
  public void onAcquired() {
    if (!pool.submit(this::encode)) {
      buffers.release(askedBytes);
      failClosed();
    }
  }

  @Override
  public void onShareClosed() {
    work.ended();
  }

  private void encode(CodecPool.Worker codec) {
    try (AcquiredBuffer buffer = new AcquiredBuffer(buffers, askedBytes)) {
      made = work.encode(frame, codec, buffer, System.nanoTime() - waitingSinceNs);
      askedBytes = buffer.neededBytes();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
      return;
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    if (made == null) {
      ask(askedBytes);
    } else {
      offer();
    }
  }

  private void offer() {
    Lease ready = made;
    if (ready == null) {
      throw new IllegalStateException("no frame was made");
    }
    int checksum = FrameHeader.checksum(ready.buffer());
    long bytes = ready.remainingBytes();
    try {
      if (!sink.offer(ready)) {
        awaitRoom();
        return;
      }
    } catch (ShipmentException | RuntimeException | Error e) {
      ready.close();
      fail(e);
      return;
    }
    made = null;
    noteRoom();
    counters.addFrame(bytes);
    work.sent(frame, checksum, bytes);
    begin();
  }

  private void awaitRoom() {
    if (!waitedForRoom) {
      waitedForRoom = true;
      waitingSinceNs = System.nanoTime();
    }
    sink.whenReady(this::offerAgain);
  }

  private void noteRoom() {
    if (waitedForRoom) {
      waitedForRoom = false;
      counters.addRoomWait(System.nanoTime() - waitingSinceNs);
    }
  }

  /** On a thread of the sink, which is not there to copy frames. */
  private void offerAgain() {
    if (!pool.submit(codec -> offer())) {
      Lease unsent = made;
      if (unsent != null) {
        unsent.close();
      }
      failClosed();
    }
  }

  private void failClosed() {
    fail(new ShipmentException(Fault.CANCELLED, "the codec pool is closed or its queue full"));
  }

  private void fail(Throwable cause) {
    work.failed(cause);
    work.ended();
  }
}
