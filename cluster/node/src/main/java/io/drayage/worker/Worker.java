package io.drayage.worker;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.CodecAgreement;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeProgress;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.Lag;
import io.drayage.database.LoadMode;
import io.drayage.database.LogPosition;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.replica.ClusterStore;
import io.drayage.replica.LogFollower;
import io.drayage.replica.ProgressReports;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A worker: a replica of the database that follows the published snapshots, and commits
 * transactions. Thread-safe; several commits may be in progress.
 *
 * <p>A commit is sent until a primary answers. The worker then waits until it is published and
 * loaded. If the answer, the primary or an {@code applied} commit is lost, the commit is sent
 * again: a transaction takes effect once, however often it is sent.
 */
public final class Worker implements AutoCloseable {
  /** Interval of the progress reports. There may be many workers. */
  private static final Duration PROGRESS_PAUSE = Duration.ofSeconds(1);

  private final WorkerOptions options;
  private final Replica replica;
  private final LogFollower follower;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final Runnable end;

  private Worker(
      WorkerOptions options,
      Coordination coordination,
      ObjectStore objects,
      LogPosition published,
      Replica replica,
      Function<InetSocketAddress, CargoSender> connect)
      throws IOException {
    this.options = options;
    this.replica = replica;
    try (Begun begun = new Begun(replica::close)) {
      this.follower =
          new LogFollower(replica, coordination.name(), "drayage-follow-" + options.name());
      begun.add(follower::close);
      ClusterStore.load(replica, published, objects.name(), coordination, options.patience());
      follower.publish(published);
      this.sender = new PrimarySender(coordination, connect);
      begun.add(sender::close);
      this.requests = new PrimaryRequests(sender, options.patience(), options.longestWait());
      Membership membership = CodecAgreement.join(coordination, options.node());
      begun.add(membership::close);
      ProgressReports progress =
          new ProgressReports(membership, PROGRESS_PAUSE, () -> progress(objects.name()), () -> {});
      begun.add(progress::close);
      follower.addListener(snapshot -> progress.note());
      begun.add(coordination.watchPublished(newest -> follower.publish(newest.position()))::close);
      this.end = begun.keep();
    }
  }

  /**
   * Starts a worker, which loads the published snapshot and follows from there. Waits some seconds
   * for a cluster that is being started, and up to the worker's patience for its first published
   * snapshot.
   *
   * @param coordination owned by the caller, as is the store
   * @param connect creates a sender to the primary at an address; closed by the worker
   * @throws CoordinationException if there is no cluster
   * @throws ForeignDatabaseException if the store does not hold the database of the cluster
   * @throws IOException if the store or the coordination cannot be used
   */
  public static Worker open(
      WorkerOptions options,
      Coordination coordination,
      ObjectStore objects,
      Function<InetSocketAddress, CargoSender> connect)
      throws IOException {
    LogPosition published =
        ClusterStore.awaitPublished(new SnapshotCatalog(objects), coordination, options.patience());
    Replica replica =
        Replica.openUpTo(
            objects,
            options.threads(),
            options.maxCargoBytes(),
            options.codecs(),
            published.timestamp());
    return new Worker(options, coordination, objects, published, replica, connect);
  }

  /** The newest snapshot that is both published and loaded. */
  public StoreSnapshot snapshot() {
    return replica.snapshot();
  }

  /**
   * The changes of the newest loaded snapshot, which are read from the replica on demand; null if
   * none was loaded since the worker was opened.
   */
  public @Nullable AppliedChanges lastApplied() {
    return replica.lastApplied();
  }

  /** Adds a listener, called on the loading thread for each newer snapshot. It must not block. */
  public void addListener(Consumer<StoreSnapshot> listener) {
    follower.addListener(listener);
  }

  /** The newest published snapshot that the worker knows; {@link #snapshot} may be behind it. */
  public long published() {
    return follower.published();
  }

  /** The lag of the replica; null if no published snapshot is known yet. */
  public @Nullable Lag lag() {
    return follower.lag();
  }

  private NodeProgress progress(String store) {
    IOException failure = failure();
    String told = failure == null ? null : String.valueOf(failure.getMessage());
    return new NodeProgress(snapshot().timestamp(), 0, 0, 0, 0, store, told, null);
  }

  /** The reason why the replica cannot advance; null if it can. */
  public @Nullable IOException failure() {
    return follower.failure();
  }

  /**
   * Waits until a snapshot is loaded.
   *
   * @return false if it was not loaded within {@code patience}
   */
  public boolean awaitSnapshot(long timestamp, Duration patience) throws InterruptedException {
    return follower.awaitLoaded(timestamp, System.nanoTime() + patience.toNanos());
  }

  /** Begins a transaction on the newest snapshot. */
  public Transaction begin() {
    return Transaction.on(snapshot());
  }

  /**
   * Commits a transaction with the worker's options; see {@link #commit(Transaction,
   * CommitOptions)}.
   */
  public CommitReport commit(Transaction transaction) throws IOException, InterruptedException {
    return commit(transaction, options.commit());
  }

  /**
   * Commits a transaction, and returns when its snapshot is loaded.
   *
   * @throws ShipmentException if it is not committed, with the outcome of all attempts together.
   *     {@linkplain ShipmentException.Outcome#NOT_APPLIED Not applied} if the database rejected it
   *     ({@code CONFLICT}, {@code REJECTED}, {@code FULL}), or no attempt came so far. Otherwise
   *     {@linkplain ShipmentException.Outcome#UNKNOWN unknown}: the patience is exhausted, the
   *     thread was interrupted ({@code CANCELLED}, with its interrupt status set), or it could not
   *     be stored ({@code REFUSED}), which a failed store may still complete. Then commit the same
   *     transaction again, not a new one: this settles the outcome
   * @throws InterruptedException if the thread was interrupted before anything could take effect
   * @throws ForeignDatabaseException if the store turns out not to hold the cluster's database
   * @throws IOException if it was acknowledged and its snapshot cannot be loaded
   */
  public CommitReport commit(Transaction transaction, CommitOptions how)
      throws IOException, InterruptedException {
    long beganNs = System.nanoTime();
    ChangeCargo cargo = transaction.toCargo();
    return commit(cargo, how, beganNs);
  }

  /**
   * Commits a cargo, which must not be changed afterwards; see {@link #commit(Transaction,
   * CommitOptions)}.
   */
  public CommitReport commit(ChangeCargo cargo, CommitOptions how)
      throws IOException, InterruptedException {
    return commit(cargo, how, System.nanoTime());
  }

  private CommitReport commit(ChangeCargo cargo, CommitOptions how, long beganNs)
      throws IOException, InterruptedException {
    long convertedNs = System.nanoTime();
    if (options.load() == LoadMode.OWN) {
      replica.keepOwn(cargo);
    }
    CommitAttempts attempts =
        new CommitAttempts(
            options, replica, follower, sender, requests, cargo, how, beganNs, convertedNs);
    CommitTrace trace =
        new CommitTrace(options.name(), cargo.transactionId(), beganNs, convertedNs);
    try {
      return trace.of(attempts::untilLoaded);
    } finally {
      replica.forgetOwn(cargo.transactionId());
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
