package io.drayage.coordination;

import io.drayage.codec.pool.DaemonThreads;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One node's end of an {@link InMemoryCluster}. */
public class InMemoryCoordination implements Coordination {
  private final InMemoryCluster cluster;
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  /** Calls of listeners and watchers, one at a time. */
  private final ExecutorService events =
      Executors.newSingleThreadExecutor(new DaemonThreads("coordination"));

  public InMemoryCoordination(InMemoryCluster cluster) {
    this.cluster = cluster;
  }

  private void later(Runnable event) {
    try {
      events.execute(event);
    } catch (RejectedExecutionException e) {
      // This node has left.
    }
  }

  private Registration register(Registration registration) {
    registrations.add(registration);
    return () -> {
      if (registrations.remove(registration)) {
        registration.close();
      }
    };
  }

  @Override
  public Registration join(NodeInfo node) throws CoordinationException {
    cluster.add(node);
    return register(() -> cluster.remove(node));
  }

  @Override
  public List<NodeInfo> liveNodes() {
    return cluster.nodes();
  }

  @Override
  public Registration stand(NodeInfo node, CandidacyListener listener) {
    Candidacy candidacy = new Candidacy(node, listener);
    cluster.stand(candidacy);
    return register(candidacy::resign);
  }

  @Override
  public Optional<PrimaryInfo> primary() {
    return Optional.ofNullable(cluster.primary());
  }

  @Override
  public Optional<PublishedSnapshot> published() {
    return Optional.ofNullable(cluster.published());
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher) {
    return register(cluster.watchPublished(published -> later(() -> watcher.accept(published))));
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) {
    return register(cluster.watchPrimary(primary -> later(() -> watcher.accept(primary))));
  }

  @Override
  public void requestHandOver(long epoch) {
    cluster.requestHandOver(epoch);
  }

  @Override
  public Registration watchHandOver(LongConsumer watcher) {
    return register(cluster.watchHandOver(epoch -> later(() -> watcher.accept(epoch))));
  }

  @Override
  public Maintenance maintenance() {
    return cluster.maintenance();
  }

  @Override
  public Maintenance maintain(boolean on, String reason) {
    return cluster.maintain(on, reason);
  }

  @Override
  public Registration watchMaintenance(Consumer<Maintenance> watcher) {
    return register(cluster.watchMaintenance(change -> later(() -> watcher.accept(change))));
  }

  @Override
  public void close() {
    registrations.forEach(
        registration -> {
          if (registrations.remove(registration)) {
            registration.close();
          }
        });
    events.shutdown();
  }

  /** A node that stands for election. The cluster's lock guards {@link #term}. */
  final class Candidacy {
    private final NodeInfo node;
    private final CandidacyListener listener;
    private @Nullable InMemoryTerm term;

    Candidacy(NodeInfo node, CandidacyListener listener) {
      this.node = node;
      this.listener = listener;
    }

    NodeInfo node() {
      return node;
    }

    void tellElected(long epoch, long timestamp) {
      InMemoryTerm begun = new InMemoryTerm(epoch, timestamp);
      term = begun;
      later(() -> listener.elected(begun));
    }

    Runnable deposedLater() {
      InMemoryTerm ended = term;
      term = null;
      return () -> {
        if (ended != null) {
          tellDeposed(ended);
        }
      };
    }

    private void tellDeposed(InMemoryTerm ended) {
      ended.over = true;
      later(() -> listener.deposed(ended));
    }

    void resign() {
      cluster.resign(this);
      InMemoryTerm ended = term;
      if (ended != null) {
        tellDeposed(ended);
      }
    }
  }

  private final class InMemoryTerm implements Term {
    private final long epoch;
    private final long publishedBefore;
    private long last;
    private volatile boolean over;

    InMemoryTerm(long epoch, long publishedBefore) {
      this.epoch = epoch;
      this.publishedBefore = publishedBefore;
      this.last = publishedBefore;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public long publishedBefore() {
      return publishedBefore;
    }

    @Override
    public synchronized void publish(long timestamp) throws DeposedException {
      if (timestamp <= last) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "snapshot %d cannot follow %d", timestamp, last));
      }
      try {
        cluster.publish(new PublishedSnapshot(timestamp, epoch));
        last = timestamp;
      } catch (DeposedException e) {
        over = true;
        throw e;
      }
    }

    @Override
    public boolean isOver() {
      return over;
    }
  }
}
