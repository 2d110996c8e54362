package io.drayage.transactor.micrometer;

import io.drayage.database.FollowerStatus;
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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shows a transactor to a Micrometer registry: its role, its snapshots, its commits and the
 * durations of their steps, as histograms. Needs {@code io.micrometer:micrometer-core} on the class
 * path. {@code docs/metrics.md} lists the names.
 *
 * <p>Pass it to {@link TransactorNode#start} as the listener for published commits, then {@link
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
   * @param tags alternately keys and values, to distinguish the nodes of a registry
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
        .description("durations of the steps of a published commit")
        .tags(tags.and("step", step))
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /** Records the durations of a commit's steps. */
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
    bindFollower(registry, tags, node, TransactorNode::status);
    Gauges<TransactorNode> gauges = new Gauges<>(registry, tags, node);
    gauges.add("node.primary", null, "1 if it is primary", n -> n.status().isPrimary() ? 1 : 0);
    gauges.add("node.epoch", null, "epoch of the term as primary; else 0", n -> n.status().epoch());
    gauges.add(
        "node.maintenance", null, "1 in maintenance", n -> n.status().maintenance().isOn() ? 1 : 0);
    gauges.add(
        "snapshot.full.every",
        null,
        "log entries between full snapshots",
        n -> n.status().fullSnapshotEvery());
    gauges.add(
        "commits.pending", null, "applied, not in the log yet", n -> n.status().pendingCommits());
    gauges.add("database", "bytes", "memory of the database", n -> n.status().databaseBytes());
    gauges.add("database.limit", "bytes", "limit of memory", n -> n.status().maxDatabaseBytes());
    gauges.add("shipments.waiting", null, "shipments that wait", n -> waiting(n).count());
    gauges.add(
        "shipments.waiting.age",
        "seconds",
        "waiting time of the first shipment",
        n -> waiting(n).mapToDouble(each -> each.age().toNanos() / 1e9).max().orElse(0));
    gauges.add("transactions.open", null, "open, of several workers", n -> n.transactions().size());
    gauges.add(
        "transactions.stored",
        "bytes",
        "stored fragments of open transactions",
        n -> n.transactions().stream().mapToLong(TransactionProgress::bytes).sum());
    gauges.add(
        "transactions.memory",
        "bytes",
        "memory of the fragments of open transactions",
        n -> n.transactions().stream().mapToLong(TransactionProgress::memoryBytes).sum());
    counter(node, "commits.undone", "applied, but not stored", NodeStatus::undoneCommits);
    counter(node, "entries.differed", "log entries applied differently", NodeStatus::differences);
    counter(node, "store.deleted", "deleted objects", NodeStatus::deletedObjects);
    for (WriteFailure cause : WriteFailure.values()) {
      failedWrites(node, cause);
    }
  }

  /**
   * Registers the meters of every node that follows the published snapshots.
   *
   * @param node held weakly
   */
  public static <T> void bindFollower(
      MeterRegistry registry, Tags tags, T node, Function<T, FollowerStatus> status) {
    Gauges<T> gauges = new Gauges<>(registry, tags, node);
    gauges.add(
        "node.failed",
        null,
        "1 if the node cannot go on",
        n -> status.apply(n).failure() == null ? 0 : 1);
    gauges.add(
        "snapshot.loaded", null, "newest snapshot in memory", n -> status.apply(n).snapshot());
    gauges.add(
        "snapshot.published", null, "newest published snapshot", n -> status.apply(n).published());
    gauges.add("snapshot.lag", null, "published, not loaded yet", n -> status.apply(n).lag());
    gauges.add(
        "snapshot.lag.age",
        "seconds",
        "age of the oldest of them",
        n -> Lag.ageSeconds(status.apply(n).behind()));
  }

  private record Gauges<T>(MeterRegistry registry, Tags tags, T node) {
    void add(String name, @Nullable String unit, String description, ToDoubleFunction<T> figure) {
      Gauge.builder("drayage." + name, node, figure)
          .description(description)
          .baseUnit(unit)
          .tags(tags)
          .register(registry);
    }
  }

  private static Stream<ShipmentProgress> waiting(TransactorNode node) {
    return node.shipments().stream().filter(ShipmentProgress::waits);
  }

  private void failedWrites(TransactorNode node, WriteFailure cause) {
    FunctionCounter.builder("drayage.store.writes.failed", node, n -> n.failedWrites(cause))
        .description("failed writes to the store")
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
