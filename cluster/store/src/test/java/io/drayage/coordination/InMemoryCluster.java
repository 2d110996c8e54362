package io.drayage.coordination;

import io.drayage.database.LogPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster within one process: what its {@link InMemoryCoordination}s share. Thread-safe; the lock
 * is never held while callbacks run.
 */
public final class InMemoryCluster {
  private final Map<String, NodeInfo> nodes = new TreeMap<>();
  private final Map<String, NodeProgress> progress = new TreeMap<>();
  private final Deque<InMemoryCoordination.Candidacy> candidates = new ArrayDeque<>();
  private final List<Consumer<PublishedSnapshot>> publishedWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<PrimaryInfo>> primaryWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<HandOver>> handOverWatchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<Maintenance>> maintenanceWatchers = new CopyOnWriteArrayList<>();
  private @Nullable PublishedSnapshot published;
  private @Nullable PrimaryInfo primary;
  private @Nullable HandOver handOver;

  /** Null before the first change: a simulation, which has yet to begin, runs no initializers. */
  private @Nullable Maintenance maintenance;

  /** Made when it is first asked for. */
  private @Nullable UUID id;

  public InMemoryCluster() {}

  /**
   * @param id what it is known by
   */
  public InMemoryCluster(UUID id) {
    this.id = id;
  }

  /** What it is known by. */
  public synchronized UUID id() {
    UUID made = id == null ? UUID.randomUUID() : id;
    id = made;
    return made;
  }

  /** For messages. */
  String name() {
    return "a cluster in this process";
  }

  synchronized void add(NodeInfo node) {
    nodes.put(node.name(), node);
    progress.put(node.name(), NodeProgress.UNKNOWN);
  }

  synchronized void remove(NodeInfo node) {
    nodes.remove(node.name());
    progress.remove(node.name());
  }

  synchronized void report(NodeInfo node, NodeProgress reached) {
    progress.replace(node.name(), reached);
  }

  synchronized @Nullable NodeProgress progress(String node) {
    return progress.get(node);
  }

  synchronized List<NodeInfo> nodes() {
    return List.copyOf(nodes.values());
  }

  public synchronized @Nullable PublishedSnapshot published() {
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
    long epoch = Math.max(primary == null ? 0 : primary.epoch(), candidacy.newestEpoch()) + 1;
    PrimaryInfo elected = new PrimaryInfo(candidacy.node(), epoch);
    primary = elected;
    LogPosition position = published == null ? null : published.position();
    if (position != null) {
      published = new PublishedSnapshot(position, epoch);
    }
    candidacy.tellElected(epoch, position);
    primaryWatchers.forEach(watcher -> watcher.accept(elected));
  }

  /**
   * Ends a candidacy, and the term with it. Whom the primary has handed over to is elected, else
   * the next in turn.
   */
  synchronized void resign(InMemoryCoordination.Candidacy candidacy) {
    boolean wasPrimary = candidates.peek() == candidacy;
    candidates.remove(candidacy);
    if (wasPrimary && !candidates.isEmpty()) {
      preferHandOver();
      elect(candidates.element());
    }
  }

  private void preferHandOver() {
    HandOver request = handOver;
    if (request != null && primary != null && request.epoch() == primary.epoch()) {
      for (InMemoryCoordination.Candidacy each : List.copyOf(candidates)) {
        if (each.node().name().equals(request.to())) {
          candidates.remove(each);
          candidates.addFirst(each);
        }
      }
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
    if (next.equals(published)) {
      return;
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

  synchronized void requestHandOver(long epoch, String to) {
    tellHandOver(new HandOver(handOver == null ? 1 : handOver.change() + 1, epoch, to));
  }

  synchronized void withdrawHandOver(HandOver request, String reason) {
    if (request.equals(handOver)) {
      tellHandOver(request.withdrawn(reason));
    }
  }

  synchronized @Nullable HandOver handOver() {
    return handOver;
  }

  private void tellHandOver(HandOver request) {
    handOver = request;
    handOverWatchers.forEach(watcher -> watcher.accept(request));
  }

  synchronized Registration watchHandOver(Consumer<HandOver> watcher) {
    handOverWatchers.add(watcher);
    if (handOver != null) {
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

  /** A copy, for messages. */
  @Override
  public synchronized String toString() {
    return "InMemoryCluster[%s, %s, %s]"
        .formatted(new ArrayList<>(nodes.values()), primary, published);
  }
}
