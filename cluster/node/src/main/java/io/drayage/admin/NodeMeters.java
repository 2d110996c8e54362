package io.drayage.admin;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.micrometer.DrayageMeters;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The meters of a node's process, for Prometheus. Thread-safe. */
public final class NodeMeters implements AutoCloseable {
  private final MeterRegistry registry;
  private final Supplier<String> text;
  private final JvmGcMetrics collections;
  private final PauseWatch pauses;

  /**
   * Begins with those of the JVM and its pauses, which it watches until it is closed.
   *
   * @param sessionTimeout of the node: a pause of half of it is told in the log
   * @throws IllegalStateException if Prometheus' registry is missing, naming its artifact
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
    pauses = new PauseWatch(registry, sessionTimeout);
    pauses.start();
  }

  /** A registry and its text. The only class that names classes which may be missing. */
  private record Registry(MeterRegistry meters, Supplier<String> text) {
    static Registry ofPrometheus() {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      return new Registry(registry, registry::scrape);
    }
  }

  /** All of them, in the text format of Prometheus. */
  String scrape() {
    return text.get();
  }

  /** Adds those of shipments, to be counted in {@code metrics}, which stays the caller's. */
  public void addShipments(DrayageMetrics metrics) {
    DrayageMeters.bind(registry, metrics);
  }

  /** Adds those of commits; {@link TransactorMeters#bind} adds those of the node. */
  public TransactorMeters addCommits() {
    return new TransactorMeters(registry);
  }

  /** Adds those of a node that follows the published snapshots. */
  public void addFollower(Supplier<NodeReport> node) {
    gauge(node, "snapshot.loaded", "newest snapshot in memory", NodeReport::snapshot);
    gauge(node, "snapshot.published", "newest published one", NodeReport::published);
    gauge(node, "snapshot.lag", "published, not loaded", NodeReport::lag);
    gauge(node, "node.failed", "1 if something is wrong", r -> r.failure() == null ? 0 : 1);
  }

  private void gauge(
      Supplier<NodeReport> node,
      String name,
      String description,
      ToLongFunction<NodeReport> figure) {
    Gauge.builder("drayage." + name, () -> figure.applyAsLong(node.get()))
        .description(description)
        .register(registry);
  }

  @Override
  public void close() {
    pauses.close();
    collections.close();
    registry.close();
  }
}
