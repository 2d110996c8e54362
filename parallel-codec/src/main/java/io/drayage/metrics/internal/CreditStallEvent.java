package io.drayage.metrics.internal;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The wait of a connection's next frame for credit. Recorded by the event loop. */
@Name("io.drayage.CreditStall")
@Label("Credit stall")
@Category("Drayage")
@Description("Frames of a connection waited until the transactor granted credit")
@StackTrace(false)
final class CreditStallEvent extends Event {
  @Label("Shipment")
  long shipmentId;

  @Label("Queued at the end")
  @DataAmount
  long queuedBytes;
}
