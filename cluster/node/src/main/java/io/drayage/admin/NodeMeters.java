package io.drayage.admin;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.micrometer.DrayageMeters;
import io.drayage.snapshot.NewestFull;
import io.drayage.transactor.NodeEvents;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of a node's process, for Prometheus. Thread-safe. */
public final class NodeMeters implements AutoCloseable {
  private final MeterRegistry registry;
  private final Supplier<String> text;
  private final JvmGcMetrics collections;
  private final PauseWatch pauses;
  private final NodeEvents events = new NodeEvents();

  /** The counters of shipments; null before they are added. */
  private volatile @Nullable DrayageMetrics shipments;

  /** Source of the newest full snapshot. */
  private volatile Supplier<@Nullable NewestFull> full = () -> null;

  /**
   * Begins with the meters of the JVM, of its store and of its pauses, which it watches until it is
   * closed.
   *
   * @param sessionTimeout of the node; a pause of half of it is logged
   * @throws IllegalStateException if the registry of Prometheus is missing; names the artifact
   */
  public NodeMeters(Duration sessionTimeout) {
    OptionalArtifact.PROMETHEUS.require();
    Registry prometheus = Registry.ofPrometheus();
    registry = prometheus.meters();
    text = prometheus.text();
    // Their names break Prometheus' rules.
    registry
        .config()
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections = new JvmGcMetrics();
    collections.bindTo(registry);
    addFull("age", "seconds", "since it was written", NodeMeters::ageSeconds);
    addFull("entries", null, "entries of the log since", NewestFull::entriesSince);
    pauses = new PauseWatch(registry, sessionTimeout, events);
    pauses.start();
  }

  /** A registry and its text. No other class names classes that may be missing. */
  private record Registry(MeterRegistry meters, Supplier<String> text) {
    static Registry ofPrometheus() {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      return new Registry(registry, registry::scrape);
    }
  }

  /** Returns all meters in the text format of Prometheus. */
  String scrape() {
    return text.get();
  }

  /** Adds the meters of shipments, counted in {@code metrics}, which the caller owns. */
  public void addShipments(DrayageMetrics metrics) {
    DrayageMeters.bind(registry, metrics);
    shipments = metrics;
  }

  /** Returns the counters of shipments; null if none were added. */
  @Nullable MetricsSnapshot shipments() {
    DrayageMetrics metrics = shipments;
    return metrics == null ? null : metrics.snapshot();
  }

  /** The events that the node itself does not know: pauses, and changes of its cluster. */
  NodeEvents events() {
    return events;
  }

  /** The last long pause since a time; null if there was none. */
  Health.@Nullable Pause pauseSince(Instant begin) {
    return pauses.since(begin);
  }

  /** Adds the meters of commits; {@link TransactorMeters#bind} adds the meters of the node. */
  public TransactorMeters addCommits() {
    return new TransactorMeters(registry);
  }

  /** Adds the meters of a node that follows the published snapshots. */
  public void addFollower(Supplier<NodeReport> node) {
    TransactorMeters.bindFollower(registry, Tags.empty(), this, unused -> node.get());
  }

  /** Shows the newest full snapshot from now on; the supplier returns null if it is unknown. */
  void fullSnapshots(Supplier<@Nullable NewestFull> newest) {
    full = newest;
  }

  private void addFull(
      String name, @Nullable String unit, String description, ToDoubleFunction<NewestFull> figure) {
    Supplier<Number> value =
        () -> {
          NewestFull newest = full.get();
          return newest == null ? Double.NaN : figure.applyAsDouble(newest);
        };
    Gauge.builder("drayage.snapshot.full." + name, value)
        .description("newest full snapshot: " + description)
        .baseUnit(unit)
        .register(registry);
  }

  private static double ageSeconds(NewestFull newest) {
    return Math.max(0, Duration.between(newest.written(), Instant.now()).toMillis() / 1e3);
  }

  @Override
  public void close() {
    pauses.close();
    collections.close();
    registry.close();
  }
}
