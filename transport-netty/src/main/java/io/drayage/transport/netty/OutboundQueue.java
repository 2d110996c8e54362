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
 * The frames that wait for one connection. Many codec threads add frames. The event loop of the
 * connection polls and writes them, as far as the peer's credit and the socket allow.
 *
 * <p>The queue itself is unbounded: every frame in it is a lease, and the budget of the leases
 * bounds them. One flag limits the wake-ups of the event loop to one for a batch. The first
 * producer sets the flag, and the loop clears it <em>before</em> it looks into the queue. So that
 * look sees a frame, or another wake-up follows. For the same reason the look need not wait for a
 * producer that has claimed its slot and not yet added its frame; {@code poll} would spin there.
 */
final class OutboundQueue {
  /** Most bytes that wait for the wire; bytes that the socket has do not count. */
  static final long MAX_QUEUED_BYTES = 16 << 20;

  private static final int QUEUE_CHUNK = 64;

  private final Channel channel;
  private final Counters counters;
  private final OutboundStall stall;

  /** Supplies a producer for this connection when it has nothing to write; on the event loop. */
  private final Supplier<Shipment.@Nullable Producer> producers;

  private final MpscUnboundedVarHandleArrayQueue<Lease> frames =
      new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
  private final AtomicBoolean wakeUpPending = new AtomicBoolean();
  private final AtomicLong queuedBytes = new AtomicLong();

  /** Made before a producer is polled, which would be lost if memory for this were missing. */
  private final Consumer<Lease> adding = this::add;

  private final ReadyActions readyActions = new ReadyActions();

  /** Set on the event loop only. A stale value elsewhere costs one frame a better connection. */
  private volatile long creditBytes;

  /** The most credit that there ever was. Set on the event loop only. */
  private volatile long windowBytes;

  private volatile boolean closed;

  /** Whether there is nothing to write, and no producer. Set on the event loop only. */
  private volatile boolean idle;

  /** Bytes that the socket has not accepted yet. Event loop only. */
  private long writingBytes;

  /** Whether the event loop is in {@link #drain}. */
  private boolean draining;

  /** Makes the queue of a fresh channel, on its event loop. */
  OutboundQueue(
      Channel channel, DrayageMetrics metrics, Supplier<Shipment.@Nullable Producer> producers) {
    this.channel = channel;
    this.producers = producers;
    this.counters = metrics.outbound();
    this.stall = new OutboundStall(counters);
    metrics.threads().join(Stage.SEND);
  }

  /**
   * Adds a frame. Thread-safe.
   *
   * @return whether there was room, so that the queue now owns the frame
   */
  boolean offer(Lease frame) {
    if (queuedBytes.get() >= MAX_QUEUED_BYTES) {
      return false;
    }
    add(frame);
    wakeUp();
    return true;
  }

  /** Adds a frame without a wake-up of the event loop, whatever waits. Thread-safe. */
  void add(Lease frame) {
    queuedBytes.addAndGet(frame.remainingBytes());
    counters.enqueued(frame.remainingBytes());
    frames.add(frame);
  }

  /** Checks whether nothing waits; a frame may come at this moment. Event loop only. */
  boolean isEmpty() {
    return frames.relaxedPeek() == null;
  }

  /** Runs {@code action}, on any thread, when there is room or the queue is closed. */
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

  /** Returns the bytes that may still be sent. Event loop only. */
  long creditBytes() {
    return creditBytes;
  }

  /** Adds credit, and writes the frames that it allows. Event loop only. */
  void addCredit(long bytes) {
    setCredit(creditBytes + bytes);
    drain();
  }

  /** Charges frames that did not pass this queue. Event loop only. */
  void charge(int bytes) {
    setCredit(creditBytes - bytes);
  }

  /** Sets the credit. The event loop is the single writer. */
  private void setCredit(long bytes) {
    creditBytes = bytes;
    windowBytes = Math.max(windowBytes, bytes);
  }

  /**
   * Returns the bytes that wait here, are in flight or are undecoded at the peer: the load ahead of
   * a frame that is added now. Thread-safe.
   */
  long loadBytes() {
    return queuedBytes.get() + windowBytes - creditBytes;
  }

  /** Releases all frames, also later ones. Thread-safe. */
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
   * Releases all frames after the end of the event loop. The thread that has set the flag is the
   * only consumer. Looks again, because no wake-up followed a frame that was added between the last
   * look and the clearing of the flag.
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

  /** Writes the frames that credit and socket allow, with one flush. Event loop only. */
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
   * Checks whether to make the next frame, which is when the socket has accepted the last. A frame
   * is then written while it is in a CPU cache, and the next one reuses its buffer.
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

  /** Wakes the event loop if it waits for a producer. Thread-safe. */
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

  /** Records why the next frame, if there is one, is not written. */
  private void noteStall() {
    Lease next = frames.relaxedPeek();
    if (next == null) {
      stall.now(OutboundStall.Reason.NONE, 0);
    } else if (!channel.isWritable()) {
      stall.now(OutboundStall.Reason.SOCKET, FrameHeader.shipmentId(next.buffer()));
    } else if (Credit.charge(next.remainingBytes()) > creditBytes) {
      stall.now(OutboundStall.Reason.CREDIT, FrameHeader.shipmentId(next.buffer()));
    } else {
      // The frame came after the look, so a wake-up follows.
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
