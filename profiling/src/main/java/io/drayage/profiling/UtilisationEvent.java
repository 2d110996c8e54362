package io.drayage.profiling;

import io.drayage.metrics.CodecSnapshot;
import io.drayage.metrics.MetricsSnapshot;
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

  /** Commits what one end has counted, if somebody records it. */
  static void emit(MetricsSnapshot now) {
    UtilisationEvent event = new UtilisationEvent();
    if (!event.isEnabled()) {
      return;
    }
    CodecSnapshot encode = now.encode();
    CodecSnapshot decode = now.decode();
    event.codecBusyNs = encode.busyNs() + decode.busyNs();
    event.codecThreads = Math.max(encode.threads(), decode.threads());
    event.codecBytes = encode.wireBytes() + decode.wireBytes();
    event.sentBytes = now.outbound().wireBytes() - now.outbound().queuedBytes();
    event.queuedBytes = now.outbound().queuedBytes();
    event.commit();
  }
}
