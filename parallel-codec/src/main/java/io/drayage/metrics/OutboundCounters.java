package io.drayage.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what waits for the wire and goes out. Public for transports, which count here; others read
 * an {@link OutboundSnapshot}. Thread-safe.
 */
public final class OutboundCounters {
  private final LongAdder frames = new LongAdder();
  private final LongAdder wireBytes = new LongAdder();
  private final LongAdder transportWaits = new LongAdder();
  private final LongAdder transportWaitNs = new LongAdder();
  private final LongAdder wakeUps = new LongAdder();
  private final LongAdder creditStalls = new LongAdder();
  private final LongAdder creditStallNs = new LongAdder();
  private final LongAdder socketStalls = new LongAdder();
  private final LongAdder socketStallNs = new LongAdder();
  private final AtomicLong queuedFrames = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicLong peakQueuedFrames = new AtomicLong();
  private final AtomicLong peakQueuedBytes = new AtomicLong();

  OutboundCounters() {}

  /** The transport has taken a frame over. */
  public void addFrame(long bytes) {
    frames.increment();
    wireBytes.add(bytes);
  }

  /** A pipeline has waited until the transport took a frame. */
  public void addTransportWait(long ns) {
    transportWaits.increment();
    transportWaitNs.add(ns);
  }

  /** A frame waits in the queue of a connection. */
  public void enqueued(long bytes) {
    raise(peakQueuedFrames, queuedFrames.incrementAndGet());
    raise(peakQueuedBytes, queuedBytes.addAndGet(bytes));
  }

  /** A frame has left the queue of a connection, for the socket or because all is over. */
  public void dequeued(long bytes) {
    queuedFrames.decrementAndGet();
    queuedBytes.addAndGet(-bytes);
  }

  /** Mostly one plain read: a peak is seldom raised. */
  private static void raise(AtomicLong peak, long value) {
    if (value > peak.get()) {
      peak.accumulateAndGet(value, Math::max);
    }
  }

  /** An event loop was woken up for frames. */
  public void addWakeUp() {
    wakeUps.increment();
  }

  /** Frames of a connection have waited for credit. */
  public void addCreditStall(long ns) {
    creditStalls.increment();
    creditStallNs.add(ns);
  }

  /** Frames of a connection have waited for the socket. */
  public void addSocketStall(long ns) {
    socketStalls.increment();
    socketStallNs.add(ns);
  }

  /** Frames that wait in queues now. */
  public long queuedFrames() {
    return queuedFrames.get();
  }

  /** Bytes that wait in queues now. */
  public long queuedBytes() {
    return queuedBytes.get();
  }

  /** What was counted so far. */
  public OutboundSnapshot snapshot() {
    return new OutboundSnapshot(
        frames.sum(),
        wireBytes.sum(),
        transportWaits.sum(),
        transportWaitNs.sum(),
        wakeUps.sum(),
        creditStalls.sum(),
        creditStallNs.sum(),
        socketStalls.sum(),
        socketStallNs.sum(),
        queuedFrames.get(),
        queuedBytes.get(),
        peakQueuedFrames.get(),
        peakQueuedBytes.get());
  }
}
