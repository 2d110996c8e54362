package io.drayage.metrics.micrometer;

import io.drayage.frame.Fault;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
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
 * Shows the counters of an end to a Micrometer registry. Only this class needs {@code
 * io.micrometer:micrometer-core} on the class path. {@code docs/metrics.md} lists the names.
 *
 * <p>The registry reads the counters when it publishes; nothing is counted twice. The registry
 * keeps the metrics until their meters are removed from it, so that the counters can be read after
 * the end has been closed. Thread-safe.
 */
public final class DrayageMeters {
  private static final double NS_PER_S = 1e9;

  private final MeterRegistry registry;
  private final DrayageMetrics metrics;

  private DrayageMeters(MeterRegistry registry, DrayageMetrics metrics) {
    this.registry = registry;
    this.metrics = metrics;
  }

  /**
   * Registers all meters of {@code metrics}.
   *
   * @param tags keys and values, alternately, that mark this end among others of the registry
   */
  public static void bind(MeterRegistry registry, DrayageMetrics metrics, String... tags) {
    DrayageMeters meters = new DrayageMeters(registry, metrics);
    Tags all = Tags.of(tags);
    for (Metric metric : Metric.values()) {
      switch (metric.group()) {
        case CODEC -> {
          meters.bind(metric, all.and("side", "encode"), MetricsSnapshot::encode);
          meters.bind(metric, all.and("side", "decode"), MetricsSnapshot::decode);
        }
        case OUTBOUND -> meters.bind(metric, all, MetricsSnapshot::outbound);
        case SHIPMENTS -> meters.bind(metric, all, MetricsSnapshot::shipments);
      }
    }
    for (Fault fault : Fault.values()) {
      meters.counter(
          "shipments.failed",
          "shipments that ended without a commit, or were refused",
          null,
          all.and("fault", fault.name()),
          s -> s.failed(fault));
    }
    for (Stage stage : Stage.values()) {
      meters.counter(
          "stage.cpu",
          "CPU time of a stage's threads",
          "seconds",
          all.and("stage", stage.name().toLowerCase(Locale.ROOT)),
          s -> s.stage(stage).cpuNs() / NS_PER_S);
    }
  }

  private void bind(Metric metric, Tags tags, Function<MetricsSnapshot, Figures> of) {
    String name = metric.meter();
    if (name == null) {
      return;
    }
    double scale = metric.unit() == Metric.Unit.NS ? NS_PER_S : 1;
    ToDoubleFunction<MetricsSnapshot> figure = s -> of.apply(s).get(metric) / scale;
    String unit =
        switch (metric.unit()) {
          case COUNT, LEVEL -> null;
          case BYTES, LEVEL_BYTES -> "bytes";
          case NS -> "seconds";
        };
    if (metric.isLevel()) {
      Gauge.builder("drayage." + name, metrics, unused -> figure.applyAsDouble(metrics.snapshot()))
          .description(metric.description())
          .baseUnit(unit)
          .tags(tags)
          .register(registry);
    } else {
      counter(name, metric.description(), unit, tags, figure);
    }
  }

  private void counter(
      String name,
      String description,
      @Nullable String unit,
      Tags tags,
      ToDoubleFunction<MetricsSnapshot> figure) {
    FunctionCounter.builder(
            "drayage." + name, metrics, unused -> figure.applyAsDouble(metrics.snapshot()))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }
}
