package io.drayage.coordination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster within one process: what its {@link InMemoryCoordination}s share. Thread-safe; the lock
 * is never held while callbacks run.
 */
public final class InMemoryCluster {
  private final Map<String, NodeInfo> nodes = new TreeMap<>();
  private final Deque<InMemoryCoordination.Candidacy> candidates = new ArrayDeque<>();
  private final List<Consumer<PublishedSnapshot>> publishedWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<PrimaryInfo>> primaryWatchers = new CopyOnWriteArrayList<>();
  private final List<LongConsumer> handOverWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<Maintenance>> maintenanceWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<AppliedReports>> reportWatchers = new CopyOnWriteArrayList<>();
  private @Nullable PublishedSnapshot published;
  private @Nullable PrimaryInfo primary;
  private long handOver;

  /** Null before the first change: a simulation, which has yet to begin, runs no initializers. */
  private @Nullable Maintenance maintenance;

  /** Null before the first. */
  private @Nullable AppliedReports reports;

  synchronized void add(NodeInfo node) {
    nodes.put(node.name(), node);
  }

  synchronized void remove(NodeInfo node) {
    nodes.remove(node.name());
  }

  synchronized List<NodeInfo> nodes() {
    return List.copyOf(nodes.values());
  }

  synchronized @Nullable PublishedSnapshot published() {
    return published;
  }

  synchronized @Nullable PrimaryInfo primary() {
    return primary;
  }

  synchronized void stand(InMemoryCoordination.Candidacy candidacy) {
    candidates.add(candidacy);
    if (candidates.size() == 1) {
      elect(candidacy);
    }
  }

  private void elect(InMemoryCoordination.Candidacy candidacy) {
    long epoch = primary == null ? 1 : primary.epoch() + 1;
    PrimaryInfo elected = new PrimaryInfo(candidacy.node(), epoch);
    primary = elected;
    long timestamp = published == null ? 0 : published.timestamp();
    if (published != null) {
      published = new PublishedSnapshot(timestamp, epoch);
    }
    candidacy.tellElected(epoch, timestamp);
    primaryWatchers.forEach(watcher -> watcher.accept(elected));
  }

  /** Ends a candidacy, and the term with it; the next in turn is elected. */
  synchronized void resign(InMemoryCoordination.Candidacy candidacy) {
    boolean wasPrimary = candidates.peek() == candidacy;
    candidates.remove(candidacy);
    InMemoryCoordination.Candidacy next = candidates.peek();
    if (wasPrimary && next != null) {
      elect(next);
    }
  }

  /** Whether another node stands for election, to take the primary's place. */
  public synchronized boolean canDepose() {
    return candidates.size() > 1;
  }

  /**
   * Deposes the primary behind its back, as if it had been paused for too long: it stands again, as
   * the last in turn, and is not told.
   *
   * @return what tells it, as if it woke up
   * @throws IllegalStateException if nobody else stands
   */
  public synchronized Runnable deposePaused() {
    if (candidates.size() < 2) {
      throw new IllegalStateException("nobody else stands for election");
    }
    InMemoryCoordination.Candidacy paused = candidates.remove();
    candidates.add(paused);
    Runnable wakeUp = paused.deposedLater();
    elect(candidates.element());
    return wakeUp;
  }

  synchronized void publish(PublishedSnapshot next) throws DeposedException {
    if (primary == null || primary.epoch() != next.epoch()) {
      throw new DeposedException(
          next.timestamp(), next.epoch(), primary == null ? 0 : primary.epoch());
    }
    published = next;
    publishedWatchers.forEach(watcher -> watcher.accept(next));
  }

  /** Watchers must pass the values on to their own threads. */
  synchronized Registration watchPublished(Consumer<PublishedSnapshot> watcher) {
    publishedWatchers.add(watcher);
    if (published != null) {
      watcher.accept(published);
    }
    return () -> publishedWatchers.remove(watcher);
  }

  synchronized Registration watchPrimary(Consumer<PrimaryInfo> watcher) {
    primaryWatchers.add(watcher);
    if (primary != null) {
      watcher.accept(primary);
    }
    return () -> primaryWatchers.remove(watcher);
  }

  synchronized void requestHandOver(long epoch) {
    handOver = epoch;
    handOverWatchers.forEach(watcher -> watcher.accept(epoch));
  }

  synchronized Registration watchHandOver(LongConsumer watcher) {
    handOverWatchers.add(watcher);
    if (handOver > 0) {
      watcher.accept(handOver);
    }
    return () -> handOverWatchers.remove(watcher);
  }

  synchronized Maintenance maintenance() {
    return maintenance == null ? Maintenance.NEVER : maintenance;
  }

  synchronized Maintenance maintain(boolean on, String reason) {
    Maintenance next = maintenance().next(on, reason);
    maintenance = next;
    maintenanceWatchers.forEach(watcher -> watcher.accept(next));
    return next;
  }

  synchronized Registration watchMaintenance(Consumer<Maintenance> watcher) {
    maintenanceWatchers.add(watcher);
    if (maintenance != null) {
      watcher.accept(maintenance);
    }
    return () -> maintenanceWatchers.remove(watcher);
  }

  public synchronized AppliedReports reports() {
    return reports == null ? AppliedReports.NONE : reports;
  }

  public synchronized void report(AppliedReport report) {
    if (!reports().reports().contains(report)) {
      AppliedReports next = reports().plus(report);
      reports = next;
      reportWatchers.forEach(watcher -> watcher.accept(next));
    }
  }

  synchronized Registration watchReports(Consumer<AppliedReports> watcher) {
    reportWatchers.add(watcher);
    if (reports != null) {
      watcher.accept(reports);
    }
    return () -> reportWatchers.remove(watcher);
  }

  /** A copy, for messages. */
  @Override
  public synchronized String toString() {
    return "InMemoryCluster[%s, %s, %s]"
        .formatted(new ArrayList<>(nodes.values()), primary, published);
  }
}
