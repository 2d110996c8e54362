package io.drayage.send;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The time from a loss of connections until a worker resumed or abandoned the shipment. */
@Name("io.drayage.Reconnect")
@Label("Reconnect")
@Category("Drayage")
@Description("The connections of a shipment were lost, and the worker tried to resume it")
@StackTrace(false)
final class ReconnectEvent extends Event {
  @Label("Shipment")
  long shipmentId;

  @Label("Attempts")
  int attempts;

  @Label("Resumed")
  boolean resumed;

  @Label("Loss")
  String loss = "";
}
