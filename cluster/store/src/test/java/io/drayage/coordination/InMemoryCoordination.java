package io.drayage.coordination;

import io.drayage.database.LogPosition;
import io.drayage.internal.DaemonThreads;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connection of one node to an {@link InMemoryCluster}. */
public class InMemoryCoordination implements Coordination {
  private final InMemoryCluster cluster;
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  /** Runs the calls of listeners and watchers, one at a time. */
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

  private <T> Registration watch(InMemoryCluster.Watched<T> watched, Consumer<T> watcher) {
    return register(watched.watch(value -> later(() -> watcher.accept(value))));
  }

  @Override
  public String name() {
    return cluster.name();
  }

  @Override
  public Optional<UUID> cluster() {
    return Optional.of(cluster.id());
  }

  @Override
  public Membership join(NodeInfo node) throws CoordinationException {
    cluster.add(node);
    Registration leaving = register(() -> cluster.remove(node));
    return new Membership() {
      @Override
      public void report(NodeProgress progress) {
        cluster.report(node, progress);
      }

      @Override
      public void close() {
        leaving.close();
      }
    };
  }

  @Override
  public Optional<NodeProgress> progress(String node) {
    return Optional.ofNullable(cluster.progress(node));
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
    return Optional.ofNullable(cluster.primary.get());
  }

  @Override
  public Optional<PublishedSnapshot> published() {
    return Optional.ofNullable(cluster.published());
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher) {
    return watch(cluster.published, watcher);
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) {
    return watch(cluster.primary, watcher);
  }

  @Override
  public void requestHandOver(long epoch, String to) {
    cluster.requestHandOver(epoch, to);
  }

  @Override
  public void withdrawHandOver(HandOver request, String reason) {
    cluster.withdrawHandOver(request, reason);
  }

  @Override
  public Optional<HandOver> handOver() {
    return Optional.ofNullable(cluster.handOver.get());
  }

  @Override
  public Registration watchHandOver(Consumer<HandOver> watcher) {
    return watch(cluster.handOver, watcher);
  }

  @Override
  public Maintenance maintenance() {
    return Objects.requireNonNullElse(cluster.maintenance.get(), Maintenance.NEVER);
  }

  @Override
  public Maintenance maintain(boolean on, String reason) {
    return cluster.maintain(on, reason);
  }

  @Override
  public Registration watchMaintenance(Consumer<Maintenance> watcher) {
    return watch(cluster.maintenance, watcher);
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

    long newestEpoch() {
      return listener.newestEpoch();
    }

    void tellElected(long epoch, @Nullable LogPosition publishedBefore) {
      InMemoryTerm begun = new InMemoryTerm(epoch, publishedBefore);
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
    private final @Nullable LogPosition publishedBefore;
    private @Nullable LogPosition last;
    private volatile boolean over;

    InMemoryTerm(long epoch, @Nullable LogPosition publishedBefore) {
      this.epoch = epoch;
      this.publishedBefore = publishedBefore;
      this.last = publishedBefore;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public UUID cluster() {
      return cluster.id();
    }

    @Override
    public Optional<LogPosition> publishedBefore() {
      return Optional.ofNullable(publishedBefore);
    }

    @Override
    public synchronized void publish(LogPosition position) throws DeposedException {
      LogPosition before = last;
      if (before != null && !position.equals(before) && !position.follows(before)) {
        throw new IllegalArgumentException("%s cannot follow %s".formatted(position, before));
      }
      try {
        cluster.publish(new PublishedSnapshot(position, epoch));
        last = position;
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
