package io.drayage.profiling;

import io.drayage.metrics.CodecSnapshot;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.MetricsSnapshot;
import jdk.jfr.FlightRecorder;

/** Has Flight Recorder ask one end for its counters, until it is closed. Thread-safe. */
final class UtilisationWatch implements AutoCloseable {
  private final Runnable hook;

  UtilisationWatch(DrayageMetrics metrics) {
    this.hook = () -> emit(metrics.snapshot());
    FlightRecorder.addPeriodicEvent(UtilisationEvent.class, hook);
  }

  private static void emit(MetricsSnapshot now) {
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

  @Override
  public void close() {
    FlightRecorder.removePeriodicEvent(hook);
  }
}
