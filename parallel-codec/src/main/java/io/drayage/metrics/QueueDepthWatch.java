package io.drayage.metrics;

import io.drayage.metrics.event.QueueDepthEvent;
import jdk.jfr.FlightRecorder;

/**
 * Has Flight Recorder ask an end for its queue depth from time to time, until it is closed.
 * Thread-safe.
 */
public final class QueueDepthWatch implements AutoCloseable {
  private final Runnable hook;

  private QueueDepthWatch(Runnable hook) {
    this.hook = hook;
  }

  /** Watches the queues that {@code outbound} counts. */
  public static QueueDepthWatch of(OutboundCounters outbound) {
    Runnable hook = () -> QueueDepthEvent.emit(outbound.queuedFrames(), outbound.queuedBytes());
    if (FlightRecorder.isAvailable()) {
      FlightRecorder.addPeriodicEvent(QueueDepthEvent.class, hook);
    }
    return new QueueDepthWatch(hook);
  }

  @Override
  public void close() {
    // A JVM without a recorder has no hook either: nothing happens then.
    FlightRecorder.removePeriodicEvent(hook);
  }
}
