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
 * Encodes the missing frames of a {@link SegmentsEncoding}, over one connection of its shipment.
 *
 * <p>As many tasks as the pool has threads each encode one frame after another. A waiting task
 * blocks no thread. The tasks queue in the pool with the tasks of other shipments, one frame each.
 *
 * <pre>
 *   next frame --> acquires a buffer --acquired--> encodes --> offers --accepted--> next frame
 *                        ^                            |          |  ^
 *                        '--- needs a larger buffer --'     full '--' ready
 * </pre>
 *
 * The frame decides which thread encodes it, once its buffer is acquired. A frame is small if it is
 * the only missing one and has 64 KiB or less:
 *
 * <pre>
 *   thread            frame                           begins                 passes the frame on by
 *   the caller        small, and its buffer was       at once, if fewer      offering it
 *                     free                            callers than threads
 *                                                     encode just now
 *   event loop that   not small, of a cheap codec,    its connection has     writing it
 *     writes          if the transport has such       nothing to write
 *                     loops
 *   thread of pool    every other                     its turn in the queue  offering it; again
 *                                                                            from the queue if the
 *                                                                            shipment was full
 * </pre>
 *
 * A task ends when no frame is left, or when the attempt has failed. The cause of a failure is an
 * exception in a task, the end of the shipment or of the pool, or an interrupt of the caller.
 * {@link #run} returns when all tasks have ended.
 *
 * <p>One thread at a time runs a task, and passes it to the next thread through the budget, the
 * queue of the pool or the shipment. So the fields of a task need no lock. An exception fails the
 * attempt and ends the task, on any thread.
 */
final class EncodingAttempt {
  /** The pause before tasks of a failed attempt are notified again, if memory was missing. */
  private static final long RETRY_MS = 200;

  private final SegmentsEncoding encoding;
  private final Shipment shipment;
  private final ByteBudget.Share share;
  private final CodecPool pool;
  private final BufferPool buffers;
  private final Counters outbound;

  /** Whether the threads that write frames also encode the cheap ones. */
  private final boolean onWriters;

  /** The sending thread, if it encodes the only frame itself. */
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

  /** Returns when the shipment has accepted the last frame. */
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

  /** Waits for the end of the tasks, because they use the cargo and the shipment. */
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
        FatalErrors.report(e); // The next round may find memory.
      }
    }
    if (interrupt != null) {
      throw interrupt;
    }
  }

  /** Fails the attempt. Of several failures, the first is thrown and logged. */
  private void failAll(Throwable cause) {
    if (!failing.getAndSet(true)) {
      failure.set(
          cause instanceof ShipmentException named
              ? named
              : SenderLog.unexpected("a segment cannot be encoded", cause));
      endTasks();
    }
  }

  /** Wakes the tasks that wait for the shipment or for the release of frames, after a failure. */
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

    /** The buffer size of the frame: requested, and can be leased without another request. */
    private int requestedBytes;

    /** The acquired bytes of the share that are not leased. */
    private int acquiredBytes;

    private long waitingSinceNs;
    private boolean waitsForShipment;
    private boolean ended;

    /** The frame that is encoded, and not accepted by the shipment yet. */
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

    /** Does not throw, because other acquirers may be notified after this one. */
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

    /** Passes the task to the pool: a transport's thread must not copy frames. Does not throw. */
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
     * Continues with the frame, which may be encoded already. Does not throw.
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
     * Leases from the acquired bytes. For a larger buffer, this acquires the difference if it is
     * available. If not, returns null, and {@link #requestedBytes} is the size to acquire.
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

    /** Fails the attempt and ends the task. Does not throw. */
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
        FatalErrors.report(e); // The attempt notifies the other tasks again.
      } finally {
        end();
      }
    }

    /** Ends the task, once. The sending thread waits for this: it must happen in any case. */
    private void end() {
      if (!ended) {
        ended = true;
        running.countDown();
      }
    }
  }
}
