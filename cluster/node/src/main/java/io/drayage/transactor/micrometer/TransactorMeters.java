package io.drayage.transactor.micrometer;

import io.drayage.database.Lag;
import io.drayage.database.TransactionProgress;
import io.drayage.objectstore.WriteFailure;
import io.drayage.receive.ShipmentProgress;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.NodeStatus;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shows a transactor to a Micrometer registry: its role, its snapshots, its commits and how long
 * their steps take, as histograms. Needs {@code io.micrometer:micrometer-core} on the class path.
 * The names are listed in {@code docs/metrics.md}.
 *
 * <p>Give it to {@link TransactorNode#start} as the listener for published commits, then {@link
 * #bind} the node. The registry reads figures when it publishes, and holds the node weakly.
 * Thread-safe.
 */
public final class TransactorMeters implements Consumer<PublishedCommit> {
  private static final Duration[] BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofMillis(3),
    Duration.ofMillis(10),
    Duration.ofMillis(30),
    Duration.ofMillis(100),
    Duration.ofMillis(300),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };

  private final MeterRegistry registry;
  private final Tags tags;
  private final Timer apply;
  private final Timer upload;
  private final Timer log;
  private final Timer publish;

  /**
   * @param tags keys and values, in turns, that tell this node from others of the same registry
   */
  public TransactorMeters(MeterRegistry registry, String... tags) {
    this.registry = registry;
    this.tags = Tags.of(tags);
    this.apply = step("apply");
    this.upload = step("upload");
    this.log = step("log");
    this.publish = step("publish");
  }

  private Timer step(String step) {
    return Timer.builder("drayage.commit.step")
        .description("steps of a published commit: apply, upload, log, publish")
        .tags(tags.and("step", step))
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /** Counts the steps of a commit. */
  @Override
  public void accept(PublishedCommit commit) {
    CommitTimes times = commit.times();
    apply.record(times.applyNs(), TimeUnit.NANOSECONDS);
    upload.record(times.uploadNs(), TimeUnit.NANOSECONDS);
    log.record(times.logNs(), TimeUnit.NANOSECONDS);
    publish.record(times.publishNs(), TimeUnit.NANOSECONDS);
  }

  /** Registers the meters of a node. */
  public void bind(TransactorNode node) {
    gauge(node, "node.primary", null, "1 if it is the primary", s -> s.isPrimary() ? 1 : 0);
    gauge(node, "node.epoch", null, "of its term; 0 for a standby", NodeStatus::epoch);
    gauge(node, "node.maintenance", null, "1 in maintenance", s -> s.maintenance().isOn() ? 1 : 0);
    gauge(node, "node.failed", null, "1 if something is wrong", s -> s.failure() == null ? 0 : 1);
    gauge(node, "snapshot.loaded", null, "newest snapshot in memory", NodeStatus::snapshot);
    gauge(node, "snapshot.published", null, "newest published one", NodeStatus::published);
    gauge(node, "snapshot.lag", null, "published, not loaded", NodeStatus::lag);
    gauge(node, "snapshot.lag.age", "seconds", "of the first", s -> Lag.ageSeconds(s.behind()));
    gauge(node, "snapshot.full.every", null, "entries between", NodeStatus::fullSnapshotEvery);
    gauge(node, "commits.pending", null, "applied, not in the log", NodeStatus::pendingCommits);
    gauge(node, "database", "bytes", "memory of the database", NodeStatus::databaseBytes);
    gauge(node, "database.limit", "bytes", "its limit", NodeStatus::maxDatabaseBytes);
    waiting(node, "shipments.waiting", null, "for admission", Stream::count);
    waiting(node, "shipments.waiting.age", "seconds", "of the first", TransactorMeters::longest);
    transactions(node, "transactions.open", null, "of several workers", one -> 1);
    transactions(
        node, "transactions.stored", "bytes", "fragments of open ones", TransactionProgress::bytes);
    transactions(
        node,
        "transactions.memory",
        "bytes",
        "memory of fragments of open ones",
        TransactionProgress::memoryBytes);
    counter(node, "commits.undone", "applied, then not stored", NodeStatus::undoneCommits);
    counter(node, "entries.differed", "applied differently", NodeStatus::differences);
    counter(node, "store.deleted", "objects that nobody needed", NodeStatus::deletedObjects);
    for (WriteFailure cause : WriteFailure.values()) {
      failedWrites(node, cause);
    }
  }

  private void gauge(
      TransactorNode node,
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<NodeStatus> figure) {
    Gauge.builder("drayage." + name, node, n -> figure.applyAsDouble(n.status()))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  /** The sum of a figure over the open transactions. */
  private void transactions(
      TransactorNode node,
      String name,
      @Nullable String unit,
      String description,
      ToLongFunction<TransactionProgress> figure) {
    Gauge.builder("drayage." + name, node, n -> n.transactions().stream().mapToLong(figure).sum())
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  /** A figure of the shipments that wait. */
  private void waiting(
      TransactorNode node,
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<Stream<ShipmentProgress>> figure) {
    Gauge.builder(
            "drayage." + name,
            node,
            n -> figure.applyAsDouble(n.shipments().stream().filter(ShipmentProgress::waits)))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  private static double longest(Stream<ShipmentProgress> waiting) {
    return waiting.mapToDouble(shipment -> shipment.age().toNanos() / 1e9).max().orElse(0);
  }

  private void failedWrites(TransactorNode node, WriteFailure cause) {
    FunctionCounter.builder("drayage.store.writes.failed", node, n -> n.failedWrites(cause))
        .description("writes to the store that failed")
        .tags(tags.and("cause", cause.label()))
        .register(registry);
  }

  private void counter(
      TransactorNode node, String name, String description, ToDoubleFunction<NodeStatus> figure) {
    FunctionCounter.builder("drayage." + name, node, n -> figure.applyAsDouble(n.status()))
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
