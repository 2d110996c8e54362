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
import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import io.drayage.transport.Shipment;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the frames that a {@link SegmentsEncoding} lacks, over one connection of its shipment.
 *
 * <p>As many tasks as the pool has threads each encode one frame after another, without blocking a
 * thread while they wait. They queue in the pool with those of other shipments, one frame each.
 *
 * <pre>
 *   next frame --> acquires a buffer --acquired--> encodes --> offers --accepted--> next frame
 *                        ^                            |          |  ^
 *                        '--- needs a larger buffer --'     full '--' ready
 * </pre>
 *
 * The frame decides which thread encodes it, once its buffer is acquired:
 *
 * <pre>
 *   thread            frame                           begins                 passes the frame on by
 *   event loop that   of a cheap codec, if the        its connection has     writing it
 *     writes          transport has such loops        nothing to write
 *   the caller        the only one, of 64 KiB or      at once, if fewer      offering it
 *                     less, and its buffer was free   callers than threads
 *                                                     encode just now
 *   thread of pool    every other                     its turn in the queue  offering it; again
 *                                                                            from the queue if the
 *                                                                            shipment was full
 * </pre>
 *
 * A task ends when no frame is left, or when the attempt has failed: in a task, by the end of the
 * shipment, by the end of the pool, or by an interrupt of the caller. {@link #run} returns when all
 * have ended.
 *
 * <p>Each arrow is passed by one thread, which hands the task to the next by way of the budget, the
 * queue of the pool or the shipment; so the fields of a task need no lock. An exception fails the
 * attempt and ends the task, whoever called it.
 */
final class EncodingAttempt {
  /** Tasks of a failed attempt that were not told, for want of memory, are told so much later. */
  private static final long RETRY_MS = 200;

  private final SegmentsEncoding encoding;
  private final Shipment shipment;
  private final ByteBudget.Share share;
  private final CodecPool pool;
  private final BufferPool buffers;
  private final Counters outbound;

  /** Whether the threads that write frames also encode those that are cheap. */
  private final boolean onWriters;

  /** The thread that sends, if it encodes the only frame itself. */
  private final @Nullable Thread caller;

  private final CountDownLatch running;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicReference<ShipmentException> failure = new AtomicReference<>();

  EncodingAttempt(
      SegmentsEncoding encoding,
      Shipment shipment,
      ByteBudget.Share share,
      CodecPool pool,
      BufferPool buffers,
      Counters outbound) {
    this.encoding = encoding;
    this.shipment = shipment;
    this.share = share;
    this.pool = pool;
    this.buffers = buffers;
    this.outbound = outbound;
    int threads = pool.threadCount();
    boolean isSmall = encoding.isSmall();
    int writers = isSmall ? 0 : Math.min(shipment.producerThreads(), threads);
    this.onWriters = writers > 0;
    this.caller = isSmall ? Thread.currentThread() : null;
    this.running =
        new CountDownLatch(onWriters && encoding.isCheap() ? writers : isSmall ? 1 : threads);
  }

  /** Returns when the last frame was accepted by the shipment. */
  void run() throws ShipmentException, InterruptedException {
    Task[] tasks = new Task[(int) running.getCount()];
    Arrays.setAll(tasks, each -> new Task());
    for (Task task : tasks) {
      task.begin();
    }
    awaitTasks();
    ShipmentException cause = failure.get();
    if (cause != null) {
      throw cause;
    }
  }

  /** The tasks use the cargo and the shipment: they must have ended before this returns. */
  private void awaitTasks() throws InterruptedException {
    InterruptedException interrupt = null;
    boolean ended = false;
    while (!ended) {
      try {
        ended = running.await(RETRY_MS, TimeUnit.MILLISECONDS);
        if (!ended) {
          endTasks();
        }
      } catch (InterruptedException e) {
        interrupt = e;
        failAll(new ShipmentException(Fault.CANCELLED, "the sending thread was interrupted"));
      } catch (OutOfMemoryError e) {
        FatalErrors.report(e); // The next round may find some.
      }
    }
    if (interrupt != null) {
      throw interrupt;
    }
  }

  /** The shipment cannot go on. Of several failures the first is told, and logged. */
  private void failAll(Throwable cause) {
    if (!failing.getAndSet(true)) {
      failure.set(
          cause instanceof ShipmentException named
              ? named
              : SenderLog.unexpected("a segment cannot be encoded", cause));
      endTasks();
    }
  }

  /** Wakes the tasks that wait for the shipment, or for frames to be released, after a failure. */
  private void endTasks() {
    ShipmentException cause = failure.get();
    if (cause != null) {
      share.close();
      shipment.cancel(cause);
    }
  }

  private final class Task
      implements CodecPool.Task, Shipment.Producer, ByteBudget.AcquireListener, LeaseSource {
    private int frame;

    /** What was asked for, and can be leased without asking for more: the buffer of the frame. */
    private int requestedBytes;

    /** What was acquired of the share and is not leased. */
    private int acquiredBytes;

    private long waitingSinceNs;
    private boolean waitsForShipment;
    private boolean ended;

    /** Encoded, and not accepted by the shipment yet. */
    private @Nullable Lease encoded;

    /** Begins the next frame, or ends. Does not throw. */
    void begin() {
      frame = failing.get() ? SegmentsEncoding.NO_FRAME : encoding.missing(next.getAndIncrement());
      if (frame == SegmentsEncoding.NO_FRAME) {
        end();
      } else {
        waitingSinceNs = System.nanoTime();
        acquire(buffers.pooledBytes());
      }
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
      acquiredBytes = requestedBytes;
      try {
        if (onWriters && encoding.isCheap(frame)) {
          shipment.whenIdle(this);
        } else if (!Thread.currentThread().equals(caller) || !pool.tryRunHere(this)) {
          submit();
        }
      } catch (Throwable e) {
        fail(e);
      }
    }

    @Override
    public void onShareClosed() {
      end();
    }

    /** Also on a thread of the transport, which must not copy frames. Does not throw. */
    private void submit() {
      try {
        failUnless(pool.submit(this));
      } catch (Throwable e) {
        fail(e);
      }
    }

    private void failUnless(boolean taken) {
      if (!taken) {
        fail(new ShipmentException(Fault.CANCELLED, pool.refusal()));
      }
    }

    @Override
    public void run(CodecPool.CodecThread codec) {
      encodeAndPass(codec, null);
    }

    @Override
    public void produce(Consumer<Lease> connection) {
      try {
        failUnless(pool.runHere(codec -> encodeAndPass(codec, connection)));
      } catch (Throwable e) {
        fail(e);
      }
    }

    @Override
    public void onOver(ShipmentException cause) {
      fail(cause);
    }

    /**
     * Goes on with the frame, which may be encoded already. Does not throw.
     *
     * @param connection has nothing to write; null if the frame is offered to the shipment
     */
    private void encodeAndPass(CodecPool.CodecThread codec, @Nullable Consumer<Lease> connection) {
      try {
        if (encoded == null) {
          long waitNs = System.nanoTime() - waitingSinceNs;
          encoded = encoding.tryEncode(frame, codec, this, waitNs, shipment);
          releaseUnused();
        }
        Lease ready = encoded;
        if (ready == null) {
          acquire(requestedBytes);
          return;
        }
        int checksum = FrameHeader.checksum(ready.buffer());
        long bytes = ready.remainingBytes();
        if (connection != null) {
          connection.accept(ready);
        } else if (!shipment.offer(ready)) {
          awaitShipment();
          return;
        }
        encoded = null;
        sent(checksum, bytes);
      } catch (Throwable e) {
        fail(e);
      }
    }

    @Override
    public int pooledBytes() {
      return requestedBytes;
    }

    /**
     * Leases from the acquired bytes. A larger buffer is leased if the difference can be acquired
     * at once; if not, this is null, and {@link #requestedBytes} what to acquire.
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

    private void awaitShipment() {
      if (!waitsForShipment) {
        waitsForShipment = true;
        waitingSinceNs = System.nanoTime();
      }
      shipment.whenReady(this::submit);
    }

    private void sent(int checksum, long bytes) {
      if (waitsForShipment) {
        waitsForShipment = false;
        outbound.count(
            Metric.TRANSPORT_WAITS, Metric.TRANSPORT_WAIT_NS, System.nanoTime() - waitingSinceNs);
      }
      encoding.sent(frame, checksum, bytes);
      begin();
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
        failAll(cause);
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
        running.countDown();
      }
    }
  }
}
