package io.drayage.profiling;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The counters of one end, from time to time, as sums since its start. */
@Name(UtilisationEvent.NAME)
@Label("Utilisation")
@Category("Drayage")
@Description("Counters of one end: what its codec threads and its transport have done so far")
@StackTrace(false)
@Period("10 ms")
final class UtilisationEvent extends Event {
  static final String NAME = "io.drayage.Utilisation";

  @Label("Codec busy")
  @Description("Elapsed time in which codec threads worked, summed over the threads")
  @Timespan(Timespan.NANOSECONDS)
  long codecBusyNs;

  @Label("Codec threads")
  long codecThreads;

  @Label("Codec bytes")
  @Description("Bytes of the frames or chunks that codec threads have made or read")
  @DataAmount
  long codecBytes;

  @Label("Sent")
  @Description("Bytes that the transport has sent")
  @DataAmount
  long sentBytes;

  @Label("Queued")
  @DataAmount
  long queuedBytes;
}
