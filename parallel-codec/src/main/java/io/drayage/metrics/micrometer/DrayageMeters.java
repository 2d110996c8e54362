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
 * <p>The registry reads the counters when it publishes; nothing is counted twice. It keeps the
 * metrics until their meters are removed from it, so that what was counted can be read after the
 * end has been closed. Thread-safe.
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
    counter(
        "codec.segments", "segments encoded or decoded", null, of, s -> codec.apply(s).segments());
    counter(
        "codec.segments.stored",
        "segments that a compressor did not make smaller",
        null,
        of,
        s -> codec.apply(s).storedSegments());
    counter("codec.frames", "frames encoded or decoded", null, of, s -> codec.apply(s).frames());
    counter("codec.raw", "raw bytes of the segments", "bytes", of, s -> codec.apply(s).rawBytes());
    counter(
        "codec.serialized",
        "bytes between serializer and compressor",
        "bytes",
        of,
        s -> codec.apply(s).serializedBytes());
    counter(
        "codec.wire", "frames with their headers", "bytes", of, s -> codec.apply(s).wireBytes());
    counter(
        "codec.busy",
        "elapsed time at work, of all codec threads",
        "seconds",
        of,
        s -> codec.apply(s).busyNs() / NS_PER_S);
    counter(
        "codec.wait",
        "time that frames waited for a buffer",
        "seconds",
        of,
        s -> codec.apply(s).waitNs() / NS_PER_S);
    gauge("codec.threads", "codec threads", null, of, s -> codec.apply(s).threads());
  }

  private void bindOutbound() {
    counter(
        "outbound.frames",
        "frames that the transport took",
        null,
        tags,
        s -> s.outbound().frames());
    counter(
        "outbound.wire",
        "bytes that the transport took",
        "bytes",
        tags,
        s -> s.outbound().wireBytes());
    counter(
        "outbound.transport.wait",
        "time that a pipeline waited for the transport",
        "seconds",
        tags,
        s -> s.outbound().transportWaitNs() / NS_PER_S);
    counter(
        "outbound.wakeups",
        "times that an event loop was woken up for frames",
        null,
        tags,
        s -> s.outbound().wakeUps());
    counter(
        "outbound.credit.stalls",
        "times that frames waited for credit",
        null,
        tags,
        s -> s.outbound().creditStalls());
    counter(
        "outbound.credit.stall",
        "time that frames waited for credit",
        "seconds",
        tags,
        s -> s.outbound().creditStallNs() / NS_PER_S);
    counter(
        "outbound.socket.stalls",
        "times that frames waited for the socket",
        null,
        tags,
        s -> s.outbound().socketStalls());
    counter(
        "outbound.socket.stall",
        "time that frames waited for the socket",
        "seconds",
        tags,
        s -> s.outbound().socketStallNs() / NS_PER_S);
    gauge(
        "outbound.queued.frames",
        "frames that wait now",
        null,
        tags,
        s -> s.outbound().queuedFrames());
    gauge("outbound.queued", "bytes that wait now", "bytes", tags, s -> s.outbound().queuedBytes());
    gauge(
        "outbound.queued.peak.frames",
        "the most frames that ever waited",
        null,
        tags,
        s -> s.outbound().peakQueuedFrames());
    gauge(
        "outbound.queued.peak",
        "the most bytes that ever waited",
        "bytes",
        tags,
        s -> s.outbound().peakQueuedBytes());
  }

  private void bindShipments() {
    counter("shipments.opened", "shipments accepted", null, tags, s -> s.shipments().opened());
    counter(
        "shipments.held", "shipments that arrived whole", null, tags, s -> s.shipments().held());
    counter(
        "shipments.committed", "shipments committed", null, tags, s -> s.shipments().committed());
    counter(
        "shipments.reconnects",
        "shipments resumed after a loss",
        null,
        tags,
        s -> s.shipments().reconnects());
    for (Fault fault : Fault.values()) {
      Tags of = tags.and("fault", fault.name());
      counter(
          "shipments.failed",
          "shipments that ended without a commit, or were refused",
          null,
          of,
          s -> s.shipments().failed(fault));
    }
  }

  private void bindStages() {
    for (Stage stage : Stage.values()) {
      Tags of = tags.and("stage", stage.name().toLowerCase(Locale.ROOT));
      counter(
          "stage.cpu",
          "processor time of a stage's threads",
          "seconds",
          of,
          s -> s.stage(stage).cpuNs() / NS_PER_S);
    }
  }

  private void counter(
      String name,
      String description,
      @Nullable String unit,
      Tags of,
      ToDoubleFunction<MetricsSnapshot> figure) {
    FunctionCounter.builder(
            "drayage." + name, metrics, unused -> figure.applyAsDouble(metrics.snapshot()))
        .description(description)
        .baseUnit(unit)
        .tags(of)
        .register(registry);
  }

  private void gauge(
      String name,
      String description,
      @Nullable String unit,
      Tags of,
      ToDoubleFunction<MetricsSnapshot> figure) {
    Gauge.builder("drayage." + name, metrics, unused -> figure.applyAsDouble(metrics.snapshot()))
        .description(description)
        .baseUnit(unit)
        .tags(of)
        .register(registry);
  }
}
