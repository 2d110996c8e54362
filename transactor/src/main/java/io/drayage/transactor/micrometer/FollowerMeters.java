package io.drayage.transactor.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Shows how far a node that follows the published snapshots is behind them: a worker, a feed of
 * changes, or a transactor. The names are listed in {@code docs/metrics.md}. The registry holds
 * what it asks. Thread-safe.
 */
public final class FollowerMeters {
  private FollowerMeters() {}

  /**
   * Registers the meters of one node.
   *
   * @param loaded the snapshot of its copy
   * @param published the newest that was published, as far as the node was told
   * @param failing whether its copy cannot advance
   * @param tags tell it from others of the same registry
   */
  public static void bind(
      MeterRegistry registry,
      LongSupplier loaded,
      LongSupplier published,
      BooleanSupplier failing,
      Iterable<Tag> tags) {
    Gauge.builder("drayage.snapshot.loaded", loaded::getAsLong)
        .description("The snapshot of its copy of the database")
        .tags(tags)
        .register(registry);
    Gauge.builder("drayage.snapshot.published", published::getAsLong)
        .description("The newest published snapshot, as far as it was told")
        .tags(tags)
        .register(registry);
    Gauge.builder(
            "drayage.follower.lag", () -> Math.max(0, published.getAsLong() - loaded.getAsLong()))
        .description("How many published snapshots its copy lacks")
        .baseUnit("snapshots")
        .tags(tags)
        .register(registry);
    Gauge.builder("drayage.follower.failing", () -> failing.getAsBoolean() ? 1 : 0)
        .description("1 if its copy cannot advance")
        .tags(tags)
        .register(registry);
  }
}
