package io.drayage.metrics.internal;

import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The bytes and frames that wait for the wire, recorded periodically. */
@Name("io.drayage.QueueDepth")
@Label("Queue depth")
@Category("Drayage")
@Description("Frames that wait in the queues of a sender's connections")
@StackTrace(false)
@Period("100 ms")
public final class QueueDepthEvent extends Event {
  @Label("Frames")
  long frames;

  @Label("Bytes")
  @DataAmount
  long bytes;

  /**
   * Makes Flight Recorder record the queues that {@code outbound} counts.
   *
   * @return stops the recording
   */
  public static Runnable watch(Counters outbound) {
    Runnable hook = () -> emit(outbound);
    if (FlightRecorder.isAvailable()) {
      FlightRecorder.addPeriodicEvent(QueueDepthEvent.class, hook);
    }
    return () -> FlightRecorder.removePeriodicEvent(hook); // Does nothing if there is none.
  }

  private static void emit(Counters outbound) {
    QueueDepthEvent event = new QueueDepthEvent();
    if (event.isEnabled()) {
      event.frames = outbound.level(Metric.QUEUED_FRAMES);
      event.bytes = outbound.level(Metric.QUEUED_BYTES);
      event.commit();
    }
  }
}
