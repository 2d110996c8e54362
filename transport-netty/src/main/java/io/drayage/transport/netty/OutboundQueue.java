package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.frame.FrameHeader;
import io.drayage.internal.ReadyActions;
import io.drayage.memory.Lease;
import io.drayage.metrics.Counters;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.Stage;
import io.drayage.metrics.internal.OutboundStall;
import io.drayage.transport.Shipment;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The frames that wait for one connection: many codec threads add them, its event loop polls and
 * writes them, as far as the peer's credit and the socket allow.
 *
 * <p>The queue itself is unbounded: every frame in it is a lease, and the leases are bounded by
 * their budget. One flag keeps it to one wake-up of the event loop for a batch: it is set by the
 * first producer and cleared by the loop <em>before</em> it looks into the queue, so that a frame
 * is either seen by that look or followed by another wake-up. That is also why the look need not
 * wait for a producer between its claim and its frame, as {@code poll} would by spinning.
 */
final class OutboundQueue {
  /** Frames that wait for the wire; those that were handed to the socket do not count. */
  static final long MAX_QUEUED_BYTES = 16 << 20;

  private static final int QUEUE_CHUNK = 64;

  private final Channel channel;
  private final Counters counters;
  private final OutboundStall stall;

  /** Who makes a frame for this connection when it has nothing to write; on the event loop. */
  private final Supplier<Shipment.@Nullable Producer> producers;

  private final MpscUnboundedVarHandleArrayQueue<Lease> frames =
      new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
  private final AtomicBoolean wakeUpPending = new AtomicBoolean();
  private final AtomicLong queuedBytes = new AtomicLong();

  /** Made before a producer is taken, which would be lost if there were no memory for this. */
  private final Consumer<Lease> adding = this::add;

  private final ReadyActions readyActions = new ReadyActions();

  /** Set on the event loop only; elsewhere a stale value costs one frame a better connection. */
  private volatile long creditBytes;

  /** The most credit that there ever was. Set on the event loop only. */
  private volatile long windowBytes;

  private volatile boolean closed;

  /** There was nothing to write, and nobody to make a frame. Set on the event loop only. */
  private volatile boolean idle;

  /** What the socket has not taken yet. On the event loop. */
  private long writingBytes;

  /** The event loop is in {@link #drain}. */
  private boolean draining;

  /** For a fresh channel, on its event loop. */
  OutboundQueue(
      Channel channel, DrayageMetrics metrics, Supplier<Shipment.@Nullable Producer> producers) {
    this.channel = channel;
    this.producers = producers;
    this.counters = metrics.outbound();
    this.stall = new OutboundStall(counters);
    metrics.threads().join(Stage.SEND);
  }

  /**
   * Adds a frame, on any thread.
   *
   * @return whether there was room, and the frame is the queue's now
   */
  boolean offer(Lease frame) {
    if (queuedBytes.get() >= MAX_QUEUED_BYTES) {
      return false;
    }
    add(frame);
    wakeUp();
    return true;
  }

  private void add(Lease frame) {
    queuedBytes.addAndGet(frame.remainingBytes());
    counters.enqueued(frame.remainingBytes());
    frames.add(frame);
  }

  /** Whether nothing waits; a frame may come at this moment. On the event loop. */
  boolean isEmpty() {
    return frames.relaxedPeek() == null;
  }

  /** Runs {@code action} on any thread, when there is room or the queue is closed. */
  void whenReady(Runnable action) {
    readyActions.add(action);
    if (closed || queuedBytes.get() < MAX_QUEUED_BYTES) {
      readyActions.runAll();
    }
  }

  private @Nullable Lease poll() {
    Lease frame = frames.relaxedPoll();
    if (frame != null) {
      counters.dequeued(frame.remainingBytes());
      long before = queuedBytes.getAndAdd(-frame.remainingBytes());
      if (before >= MAX_QUEUED_BYTES) {
        readyActions.runAll();
      }
    }
    return frame;
  }

  /** What may still be sent. On the event loop. */
  long creditBytes() {
    return creditBytes;
  }

  /** More bytes may be sent. On the event loop. */
  void addCredit(long bytes) {
    setCredit(creditBytes + bytes);
    drain();
  }

  /** Single writer: the event loop. */
  private void setCredit(long bytes) {
    creditBytes = bytes;
    windowBytes = Math.max(windowBytes, bytes);
  }

  /**
   * Bytes that wait here, are under way, or are not decoded by the peer: what a frame that is added
   * now has before it. On any thread.
   */
  long loadBytes() {
    return queuedBytes.get() + windowBytes - creditBytes;
  }

  /** Releases all frames, also those that will be added. On any thread. */
  void close() {
    closed = true;
    readyActions.runAll();
    wakeUp();
  }

  private void wakeUp() {
    if (wakeUpPending.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::onWakeUp);
      } catch (RejectedExecutionException e) {
        releaseAllWithoutLoop();
      }
    }
  }

  /**
   * The event loop has ended, so the thread that has set the flag is the only consumer. A frame
   * that was added after the last look and before the flag was cleared had no wake-up: look again.
   */
  private void releaseAllWithoutLoop() {
    do {
      releaseAll();
      wakeUpPending.set(false);
    } while (frames.relaxedPeek() != null && wakeUpPending.compareAndSet(false, true));
  }

  private void onWakeUp() {
    wakeUpPending.set(false);
    counters.count(Metric.WAKE_UPS);
    drain();
  }

  /** Writes what may be written, with one flush. On the event loop. */
  void drain() {
    if (closed) {
      releaseAll();
      stall.now(OutboundStall.Reason.NONE, 0);
      return;
    }
    draining = true;
    try {
      writeQueued();
      while (wantsFrame() && produce()) {
        writeQueued();
      }
    } finally {
      draining = false;
    }
    noteStall();
  }

  /**
   * One frame at a time, and the next when the socket has taken it: so it is written while it is in
   * a cache, and the next one uses its buffer again.
   */
  private boolean wantsFrame() {
    return writingBytes == 0
        && creditBytes > 0
        && !closed
        && channel.isWritable()
        && frames.relaxedPeek() == null;
  }

  /** Lets a waiting producer make a frame; false if there is none. */
  private boolean produce() {
    Shipment.Producer producer = producers.get();
    if (producer == null) {
      // A producer that comes after the next look sees the flag.
      idle = true;
      producer = producers.get();
    }
    if (producer == null) {
      return false;
    }
    idle = false;
    producer.produce(adding);
    return true;
  }

  /** Wakes the event loop up if it waits for somebody to make frames. On any thread. */
  void wakeUpIfIdle() {
    if (idle) {
      wakeUp();
    }
  }

  private void writeQueued() {
    boolean written = false;
    while (channel.isWritable()) {
      Lease frame = frames.relaxedPeek();
      if (frame == null || Credit.charge(frame.remainingBytes()) > creditBytes) {
        break;
      }
      poll();
      setCredit(creditBytes - Credit.charge(frame.remainingBytes()));
      write(frame);
      written = true;
    }
    if (written) {
      channel.flush();
    }
  }

  /** Why the next frame, if there is one, is not written. */
  private void noteStall() {
    Lease next = frames.relaxedPeek();
    if (next == null) {
      stall.now(OutboundStall.Reason.NONE, 0);
    } else if (!channel.isWritable()) {
      stall.now(OutboundStall.Reason.SOCKET, FrameHeader.shipmentId(next.buffer()));
    } else if (Credit.charge(next.remainingBytes()) > creditBytes) {
      stall.now(OutboundStall.Reason.CREDIT, FrameHeader.shipmentId(next.buffer()));
    } else {
      // It came after the look, so a wake-up will come too.
      stall.now(OutboundStall.Reason.NONE, 0);
    }
  }

  private void write(Lease frame) {
    int count = frame.remainingBytes();
    ChannelFuture written;
    try {
      written = channel.write(Unpooled.wrappedBuffer(frame.buffer()));
    } catch (Throwable e) {
      frame.close();
      throw e;
    }
    writingBytes += count;
    written.addListener(
        done -> {
          frame.close();
          writingBytes -= count;
          if (writingBytes == 0 && !draining) {
            drain();
          }
        });
  }

  private void releaseAll() {
    for (Lease frame = poll(); frame != null; frame = poll()) {
      frame.close();
    }
  }
}
