package io.drayage.transactor.micrometer;

import io.drayage.receive.ShipmentProgress;
import io.drayage.transactor.TransactorCounters;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows a transactor to a Micrometer registry. This package, and it alone, needs {@code
 * io.micrometer:micrometer-core} on the class path. The names are listed in {@code
 * docs/metrics.md}.
 *
 * <p>Nothing is counted twice: the registry asks the node, which it holds, when it publishes.
 * Thread-safe.
 */
public final class TransactorMeters {
  private final MeterRegistry registry;
  private final TransactorNode node;
  private final Tags tags;

  private TransactorMeters(MeterRegistry registry, TransactorNode node, Tags tags) {
    this.registry = registry;
    this.node = node;
    this.tags = tags;
  }

  /**
   * Registers the meters of a node. Its {@code DrayageMetrics} have their own, its commits {@link
   * CommitTimers}.
   *
   * @param tags keys and values, in turns, that tell this node from others of the same registry
   */
  public static void bind(MeterRegistry registry, TransactorNode node, String... tags) {
    TransactorMeters meters = new TransactorMeters(registry, node, Tags.of(tags));
    meters.bindRole();
    meters.bindCommits();
    meters.bindMemory();
    meters.bindStore();
  }

  private void bindRole() {
    gauge("primary", "1 if it is the primary, 0 if it stands by", null, n -> n.isPrimary() ? 1 : 0);
    gauge("epoch", "The epoch of a primary, 0 of a standby", null, n -> n.epoch().orElse(0L));
    gauge(
        "takeover.failing",
        "1 if it is elected and cannot take over",
        null,
        n -> n.takeoverFailure() == null ? 0 : 1);
    FollowerMeters.bind(
        registry,
        () -> node.status().snapshot(),
        () -> node.status().published(),
        () -> node.status().followFailure() != null,
        tags);
  }

  private void bindCommits() {
    gauge(
        "commits.pending",
        "Commits that are applied and not published yet",
        null,
        n -> n.status().pendingCommits());
    counter(
        "commits.undone",
        "Commits that were applied and undone, because they could not be stored",
        tags,
        TransactorCounters::undoneCommits);
    gauge(
        "shipments.active",
        "Shipments that are received or wait for their commit",
        null,
        n -> n.shipments().size());
  }

  private void bindMemory() {
    TransactorOptions options = node.options();
    gauge(
        "database.memory",
        "Memory that the database takes",
        "bytes",
        n -> n.snapshot().memoryBytes());
    gauge(
        "database.memory.limit",
        "Memory that the database may take: beyond it, commits are refused as FULL",
        "bytes",
        n -> options.memory().databaseBytes());
    gauge(
        "receiving.memory",
        "Memory that cargoes take which are received or wait for their commit",
        "bytes",
        n -> n.shipments().stream().mapToLong(ShipmentProgress::memoryBytes).sum());
    gauge(
        "receiving.memory.limit",
        "Memory that they may take: beyond it, shipments are refused as BUSY",
        "bytes",
        n -> options.limits().maxReceivingBytes());
  }

  private void bindStore() {
    counter(
        "snapshots.written",
        "Full snapshots that were written",
        tags,
        TransactorCounters::fullSnapshots);
    deleted("snapshot", TransactorCounters::deletedSnapshots);
    deleted("leftover", TransactorCounters::deletedLeftovers);
    deleted("upload", TransactorCounters::deletedUploads);
  }

  private void deleted(String kind, ToDoubleFunction<TransactorCounters> figure) {
    counter("store.deleted", "What nobody needs any more", tags.and("kind", kind), figure);
  }

  private void gauge(
      String name,
      String description,
      @Nullable String unit,
      ToDoubleFunction<TransactorNode> figure) {
    Gauge.builder("drayage." + name, node, figure)
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      String name, String description, Tags of, ToDoubleFunction<TransactorCounters> figure) {
    FunctionCounter.builder("drayage." + name, node, n -> figure.applyAsDouble(n.counters()))
        .description(description)
        .tags(of)
        .register(registry);
  }
}
