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
    counter(
        "codec.segments", "Segments encoded or decoded", null, of, s -> codec.apply(s).segments());
    counter(
        "codec.segments.stored",
        "Segments that a compressor did not make smaller",
        null,
        of,
        s -> codec.apply(s).storedSegments());
    counter(
        "codec.frames",
        "Frames of segments, or chunks of a stream",
        null,
        of,
        s -> codec.apply(s).frames());
    counter("codec.raw", "Raw bytes of the segments", "bytes", of, s -> codec.apply(s).rawBytes());
    counter(
        "codec.serialized",
        "Bytes between serializer and compressor",
        "bytes",
        of,
        s -> codec.apply(s).serializedBytes());
    counter(
        "codec.wire",
        "Bytes of frames with their headers, without manifest and seal",
        "bytes",
        of,
        s -> codec.apply(s).wireBytes());
    counter(
        "codec.busy",
        "Time at work, summed over the threads, without waits",
        "seconds",
        of,
        s -> codec.apply(s).busyNs() / NS_PER_S);
    counter(
        "codec.wait",
        "Time that frames waited for a buffer",
        "seconds",
        of,
        s -> codec.apply(s).waitNs() / NS_PER_S);
    gauge("codec.threads", "Codec threads", null, of, s -> codec.apply(s).threads());
  }

  private void bindOutbound() {
    counter(
        "outbound.frames",
        "Frames that the transport took",
        null,
        tags,
        s -> s.outbound().frames());
    counter(
        "outbound.wire",
        "Bytes that the transport took, with manifest and seal",
        "bytes",
        tags,
        s -> s.outbound().wireBytes());
    counter(
        "outbound.transport.wait",
        "Time until the transport took a frame",
        "seconds",
        tags,
        s -> s.outbound().transportWaitNs() / NS_PER_S);
    counter(
        "outbound.wakeups",
        "Times that an event loop was woken up for frames",
        null,
        tags,
        s -> s.outbound().wakeUps());
    counter(
        "outbound.credit.stalls",
        "Times that a connection had frames and no credit",
        null,
        tags,
        s -> s.outbound().creditStalls());
    counter(
        "outbound.credit.stall",
        "Time that a connection had frames and no credit",
        "seconds",
        tags,
        s -> s.outbound().creditStallNs() / NS_PER_S);
    counter(
        "outbound.socket.stalls",
        "Times that a connection had frames and credit and a full socket",
        null,
        tags,
        s -> s.outbound().socketStalls());
    counter(
        "outbound.socket.stall",
        "Time that a connection had frames and credit and a full socket",
        "seconds",
        tags,
        s -> s.outbound().socketStallNs() / NS_PER_S);
    gauge(
        "outbound.queued.frames",
        "Frames that wait now",
        null,
        tags,
        s -> s.outbound().queuedFrames());
    gauge("outbound.queued", "Bytes that wait now", "bytes", tags, s -> s.outbound().queuedBytes());
    gauge(
        "outbound.queued.peak.frames",
        "The most frames that ever waited",
        null,
        tags,
        s -> s.outbound().peakQueuedFrames());
    gauge(
        "outbound.queued.peak",
        "The most bytes that ever waited",
        "bytes",
        tags,
        s -> s.outbound().peakQueuedBytes());
  }

  private void bindShipments() {
    counter(
        "shipments.opened",
        "Shipments that were accepted",
        null,
        tags,
        s -> s.shipments().opened());
    counter(
        "shipments.held",
        "Shipments whose cargo was received whole",
        null,
        tags,
        s -> s.shipments().held());
    counter(
        "shipments.committed",
        "Shipments whose cargo was committed",
        null,
        tags,
        s -> s.shipments().committed());
    counter(
        "shipments.reconnects",
        "Shipments that were resumed after a loss",
        null,
        tags,
        s -> s.shipments().reconnects());
    for (Fault fault : Fault.values()) {
      Tags of = tags.and("fault", fault.name());
      counter(
          "shipments.failed",
          "Shipments that ended without a commit, or were refused, by reason",
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
          "Processor time of the threads of a stage",
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
    FunctionCounter.builder("drayage." + name, metrics, m -> figure.applyAsDouble(m.snapshot()))
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
    Gauge.builder("drayage." + name, metrics, m -> figure.applyAsDouble(m.snapshot()))
        .description(description)
        .baseUnit(unit)
        .tags(of)
        .register(registry);
  }
}
