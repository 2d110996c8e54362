package io.drayage.send;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One phase of a shipment on the worker, see {@code SendReport}. */
@Name("io.drayage.Phase")
@Label("Phase")
@Category("Drayage")
@Description("A phase of a shipment: request, serialize, drain, decode or apply")
@StackTrace(false)
final class PhaseEvent extends Event {
  @Label("Phase")
  String phase = "";
}
