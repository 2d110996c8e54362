package io.drayage.coordination;

import io.drayage.database.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster within one process: the state that its {@link InMemoryCoordination}s share.
 * Thread-safe; the lock is never held while callbacks run.
 */
public final class InMemoryCluster {
  /** A value that nodes watch, each on a thread of its own. */
  final class Watched<T> {
    private final List<Consumer<T>> watchers = new CopyOnWriteArrayList<>();
    private @Nullable T value;

    @Nullable T get() {
      synchronized (InMemoryCluster.this) {
        return value;
      }
    }

    private void set(T next) {
      value = next;
      watchers.forEach(watcher -> watcher.accept(next));
    }

    /** Calls {@code watcher}, which must pass the values on to its own thread. */
    Registration watch(Consumer<T> watcher) {
      synchronized (InMemoryCluster.this) {
        watchers.add(watcher);
        if (value != null) {
          watcher.accept(value);
        }
      }
      return () -> watchers.remove(watcher);
    }
  }

  final Watched<PublishedSnapshot> published = new Watched<>();
  final Watched<PrimaryInfo> primary = new Watched<>();
  final Watched<HandOver> handOver = new Watched<>();
  final Watched<Maintenance> maintenance = new Watched<>();
  private final Map<String, NodeInfo> nodes = new TreeMap<>();
  private final Map<String, NodeProgress> progress = new TreeMap<>();
  private final Deque<InMemoryCoordination.Candidacy> candidates = new ArrayDeque<>();
  private final UUID id;

  public InMemoryCluster() {
    this(UUID.randomUUID());
  }

  /**
   * @param id the id of the cluster
   */
  public InMemoryCluster(UUID id) {
    this.id = id;
  }

  /** The id of the cluster. */
  public UUID id() {
    return id;
  }

  /** The name of the cluster, for messages. */
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

  public @Nullable PublishedSnapshot published() {
    return published.get();
  }

  synchronized void stand(InMemoryCoordination.Candidacy candidacy) {
    candidates.add(candidacy);
    if (candidates.size() == 1) {
      elect(candidacy);
    }
  }

  private void elect(InMemoryCoordination.Candidacy candidacy) {
    long epoch = Math.max(epoch(), candidacy.newestEpoch()) + 1;
    LogPosition position = published.value == null ? null : published.value.position();
    if (position != null) {
      published.value = new PublishedSnapshot(position, epoch);
    }
    candidacy.tellElected(epoch, position);
    primary.set(new PrimaryInfo(candidacy.node(), epoch));
  }

  private long epoch() {
    return primary.value == null ? 0 : primary.value.epoch();
  }

  /**
   * Ends a candidacy and its term. Elects the node that the primary has handed over to; otherwise
   * the next candidate in the queue.
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
    HandOver request = handOver.value;
    if (request != null && request.epoch() == epoch()) {
      for (InMemoryCoordination.Candidacy each : List.copyOf(candidates)) {
        if (each.node().name().equals(request.to())) {
          candidates.remove(each);
          candidates.addFirst(each);
        }
      }
    }
  }

  /**
   * Deposes the primary without notifying it, as if it had been paused for too long. The node
   * stands again, as the last candidate.
   *
   * @return notifies the primary, as if it woke up
   * @throws IllegalStateException if no other node stands
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
    if (epoch() != next.epoch()) {
      throw new DeposedException(next.timestamp(), next.epoch(), epoch());
    }
    if (!next.equals(published.value)) {
      published.set(next);
    }
  }

  synchronized void requestHandOver(long epoch, String to) {
    HandOver before = handOver.value;
    handOver.set(new HandOver(before == null ? 1 : before.change() + 1, epoch, to));
  }

  synchronized void withdrawHandOver(HandOver request, String reason) {
    if (request.equals(handOver.value)) {
      handOver.set(request.withdrawn(reason));
    }
  }

  synchronized Maintenance maintain(boolean on, String reason) {
    Maintenance next =
        Objects.requireNonNullElse(maintenance.value, Maintenance.NEVER).next(on, reason);
    maintenance.set(next);
    return next;
  }
}
