package io.drayage.metrics.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** How much waits for the wire, from time to time. */
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

  /** Emits the event if a recording wants it. */
  public static void emit(long frames, long bytes) {
    QueueDepthEvent event = new QueueDepthEvent();
    if (event.isEnabled()) {
      event.frames = frames;
      event.bytes = bytes;
      event.commit();
    }
  }
}
