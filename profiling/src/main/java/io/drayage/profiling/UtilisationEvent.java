package io.drayage.profiling;

import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
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

/** The counters of one end, at intervals, as sums since its start. */
@Name(UtilisationEvent.NAME)
@Label("Utilisation")
@Category("Drayage")
@Description("Counters of one end: the work of its codec threads and its transport so far")
@StackTrace(false)
@Period("10 ms")
final class UtilisationEvent extends Event {
  static final String NAME = "io.drayage.Utilisation";

  @Label("Codec busy")
  @Description("Elapsed working time of codec threads, summed over the threads")
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

  /** Commits the counters of one end, if a recording is active. */
  static void emit(MetricsSnapshot now) {
    UtilisationEvent event = new UtilisationEvent();
    if (!event.isEnabled()) {
      return;
    }
    Figures encode = now.encode();
    Figures decode = now.decode();
    event.codecBusyNs = encode.get(Metric.BUSY_NS) + decode.get(Metric.BUSY_NS);
    event.codecThreads = Math.max(encode.get(Metric.THREADS), decode.get(Metric.THREADS));
    event.codecBytes = encode.get(Metric.WIRE_BYTES) + decode.get(Metric.WIRE_BYTES);
    event.queuedBytes = now.outbound().get(Metric.QUEUED_BYTES);
    event.sentBytes = now.outbound().get(Metric.SENT_BYTES) - event.queuedBytes;
    event.commit();
  }
}
