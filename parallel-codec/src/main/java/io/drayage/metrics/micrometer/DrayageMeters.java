package io.drayage.metrics.micrometer;

import io.drayage.frame.Fault;
import io.drayage.metrics.CodecSnapshot;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows the counters of an end to a Micrometer registry. This class, and it alone, needs {@code
 * io.micrometer:micrometer-core} on the class path. The names are listed in {@code
 * docs/metrics.md}.
 *
 * <p>The registry reads the counters when it publishes; nothing is counted twice. It holds the
 * metrics weakly, as it does with what all its function meters read. Thread-safe.
 */
public final class DrayageMeters {
  private static final double NS_PER_S = 1e9;

  private final MeterRegistry registry;
  private final DrayageMetrics metrics;
  private final Tags tags;

  private DrayageMeters(MeterRegistry registry, DrayageMetrics metrics, Tags tags) {
    this.registry = registry;
    this.metrics = metrics;
    this.tags = tags;
  }

  /**
   * Registers all meters of {@code metrics}.
   *
   * @param tags keys and values, in turns, that tell this end from others of the same registry
   */
  public static void bind(MeterRegistry registry, DrayageMetrics metrics, String... tags) {
    DrayageMeters meters = new DrayageMeters(registry, metrics, Tags.of(tags));
    meters.bindCodec("encode", MetricsSnapshot::encode);
    meters.bindCodec("decode", MetricsSnapshot::decode);
    meters.bindOutbound();
    meters.bindShipments();
    meters.bindStages();
  }

  private void bindCodec(String side, Function<MetricsSnapshot, CodecSnapshot> codec) {
    Tags of = tags.and("side", side);
    counter("codec.segments", null, of, s -> codec.apply(s).segments());
    counter("codec.segments.stored", null, of, s -> codec.apply(s).storedSegments());
    counter("codec.frames", null, of, s -> codec.apply(s).frames());
    counter("codec.raw", "bytes", of, s -> codec.apply(s).rawBytes());
    counter("codec.serialized", "bytes", of, s -> codec.apply(s).serializedBytes());
    counter("codec.wire", "bytes", of, s -> codec.apply(s).wireBytes());
    counter("codec.busy", "seconds", of, s -> codec.apply(s).busyNs() / NS_PER_S);
    counter("codec.wait", "seconds", of, s -> codec.apply(s).waitNs() / NS_PER_S);
    gauge("codec.threads", null, of, s -> codec.apply(s).threads());
  }

  private void bindOutbound() {
    counter("outbound.frames", null, tags, s -> s.outbound().frames());
    counter("outbound.wire", "bytes", tags, s -> s.outbound().wireBytes());
    counter(
        "outbound.transport.wait", "seconds", tags, s -> s.outbound().transportWaitNs() / NS_PER_S);
    counter("outbound.wakeups", null, tags, s -> s.outbound().wakeUps());
    counter("outbound.credit.stalls", null, tags, s -> s.outbound().creditStalls());
    counter("outbound.credit.stall", "seconds", tags, s -> s.outbound().creditStallNs() / NS_PER_S);
    counter("outbound.socket.stalls", null, tags, s -> s.outbound().socketStalls());
    counter("outbound.socket.stall", "seconds", tags, s -> s.outbound().socketStallNs() / NS_PER_S);
    gauge("outbound.queued.frames", null, tags, s -> s.outbound().queuedFrames());
    gauge("outbound.queued", "bytes", tags, s -> s.outbound().queuedBytes());
    gauge("outbound.queued.peak.frames", null, tags, s -> s.outbound().peakQueuedFrames());
    gauge("outbound.queued.peak", "bytes", tags, s -> s.outbound().peakQueuedBytes());
  }

  private void bindShipments() {
    counter("shipments.opened", null, tags, s -> s.shipments().opened());
    counter("shipments.held", null, tags, s -> s.shipments().held());
    counter("shipments.committed", null, tags, s -> s.shipments().committed());
    counter("shipments.reconnects", null, tags, s -> s.shipments().reconnects());
    for (Fault fault : Fault.values()) {
      Tags of = tags.and("fault", fault.name());
      counter("shipments.failed", null, of, s -> s.shipments().failed(fault));
    }
  }

  private void bindStages() {
    for (Stage stage : Stage.values()) {
      Tags of = tags.and("stage", stage.name().toLowerCase(Locale.ROOT));
      counter("stage.cpu", "seconds", of, s -> s.stage(stage).cpuNs() / NS_PER_S);
    }
  }

  private void counter(
      String name, @Nullable String unit, Tags of, ToDoubleFunction<MetricsSnapshot> figure) {
    FunctionCounter.builder("drayage." + name, metrics, m -> figure.applyAsDouble(m.snapshot()))
        .baseUnit(unit)
        .tags(of)
        .register(registry);
  }

  private void gauge(
      String name, @Nullable String unit, Tags of, ToDoubleFunction<MetricsSnapshot> figure) {
    Gauge.builder("drayage." + name, metrics, m -> figure.applyAsDouble(m.snapshot()))
        .baseUnit(unit)
        .tags(of)
        .register(registry);
  }
}
