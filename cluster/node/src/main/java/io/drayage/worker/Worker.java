package io.drayage.worker;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.CodecAgreement;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.Lag;
import io.drayage.database.LogPosition;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.replica.AppliedWatch;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A worker: a replica of the database that follows the published snapshots, and commits
 * transactions. Thread-safe; several commits may be in progress.
 *
 * <p>A commit is sent until a primary answers, then awaited until it is published and loaded. If
 * the answer, the primary or an {@code applied} commit is lost, it is sent again: a transaction
 * takes effect once, however often it is sent.
 */
public final class Worker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  /** Then the worker looks again whether the primary is still the same. */
  private static final Duration LONGEST_WAIT_FOR_ROOM = Duration.ofSeconds(5);

  /** So that freed capacity is used soon. */
  private static final Duration LONGEST_PAUSE_WHEN_BUSY = Duration.ofMillis(250);

  private final WorkerOptions options;
  private final Replica replica;
  private final LogFollower follower;
  private final PrimarySender sender;
  private final Registration membership;
  private final Registration watch;
  private final AppliedWatch appliedWatch;

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
    Deque<Runnable> begun = new ArrayDeque<>();
    boolean whole = false;
    try {
      this.follower =
          new LogFollower(replica, coordination.name(), "drayage-follow-" + options.name());
      begun.push(follower::close);
      this.appliedWatch =
          new AppliedWatch(coordination, options.name(), replica, follower, reason -> {});
      begun.push(appliedWatch::close);
      ClusterStore.load(replica, published, objects.name(), coordination, options.patience());
      follower.publish(published);
      this.sender = new PrimarySender(coordination, connect);
      begun.push(sender::close);
      this.membership = CodecAgreement.join(coordination, options.node());
      begun.push(membership::close);
      this.watch = coordination.watchPublished(newest -> follower.publish(newest.position()));
      whole = true;
    } finally {
      if (!whole) {
        begun.forEach(Runnable::run);
      }
    }
  }

  /**
   * Starts a worker: loads the published snapshot and follows from there. Waits for some seconds
   * for a cluster that is being started with it, and for the worker's patience until that one has
   * published a snapshot.
   *
   * @param coordination stays the caller's, as does the store
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
    boolean opened = false;
    try {
      Worker worker = new Worker(options, coordination, objects, published, replica, connect);
      opened = true;
      return worker;
    } finally {
      if (!opened) {
        replica.close();
      }
    }
  }

  /** The newest snapshot that is published and loaded. */
  public StoreSnapshot snapshot() {
    return replica.snapshot();
  }

  /**
   * The changes of the newest loaded snapshot, to be read back from the replica; null if none was
   * loaded since the worker was opened.
   */
  public @Nullable AppliedChanges lastApplied() {
    return replica.lastApplied();
  }

  /** Called whenever a newer snapshot is loaded, on the loading thread: must not block. */
  public void addListener(Consumer<StoreSnapshot> listener) {
    follower.addListener(listener);
  }

  /** The newest published snapshot that it knows of; {@link #snapshot} may be behind it. */
  public long published() {
    return follower.published();
  }

  /** How far the replica is behind; null if nothing is published yet, as far as it knows. */
  public @Nullable Lag lag() {
    return follower.lag();
  }

  /** Why the replica cannot advance; null if it can. */
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
   * @throws ShipmentException if there is no such answer, with the outcome of all attempts
   *     together. {@linkplain ShipmentException.Outcome#NOT_APPLIED Not applied} if the database
   *     rejected it ({@code CONFLICT}, {@code REJECTED}, {@code FULL}), or no attempt came so far.
   *     Otherwise {@linkplain ShipmentException.Outcome#UNKNOWN unknown}: the patience is
   *     exhausted, the thread was interrupted ({@code CANCELLED}, with its interrupt status set),
   *     or it could not be stored ({@code REFUSED}), which a failed store may still complete. Then
   *     commit the same transaction again, which settles its fate, rather than a new one
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
    Attempts attempts = new Attempts(cargo, how, beganNs, convertedNs);
    CommitTrace trace =
        new CommitTrace(options.name(), cargo.transactionId(), beganNs, convertedNs);
    try {
      return trace.of(attempts::untilLoaded);
    } catch (ShipmentException e) {
      throw attempts.settled(e);
    } catch (InterruptedException e) {
      throw attempts.interrupted(e);
    } finally {
      replica.forgetOwn(cargo.transactionId());
    }
  }

  /** One commit, from the cargo to the loaded snapshot. */
  private final class Attempts {
    private final ChangeCargo cargo;
    private final CommitOptions how;
    private final long beganNs;
    private final long convertedNs;
    private int attempts;

    /** Whether an attempt may have taken effect. */
    private boolean uncertain;

    Attempts(ChangeCargo cargo, CommitOptions how, long beganNs, long convertedNs) {
      this.cargo = cargo;
      this.how = how.on(replica.database(), replica.checksum(cargo.baseSnapshot()));
      this.beganNs = beganNs;
      this.convertedNs = convertedNs;
    }

    /** The last attempt's end, with the outcome of all. */
    ShipmentException settled(ShipmentException last) {
      return uncertain && !last.fault().isVerdict()
          ? last.withOutcome(ShipmentException.Outcome.UNKNOWN)
          : last;
    }

    /** As of {@link CargoSender#send}: an interrupt must not hide that it may take effect. */
    ShipmentException interrupted(InterruptedException cause) throws InterruptedException {
      if (!uncertain) {
        throw cause;
      }
      Thread.currentThread().interrupt();
      return settled(
          new ShipmentException(
              Fault.CANCELLED,
              "interrupted while transaction %s was committed: it may take effect"
                  .formatted(cargo.transactionId()),
              cause));
    }

    CommitReport untilLoaded() throws IOException, InterruptedException {
      Backoff whenLost = new Backoff(options.patience());
      while (true) {
        PrimarySender.Sent acknowledged = send();
        uncertain = true; // Until it is loaded, it may be lost.
        SendReport sent = acknowledged.report();
        long answeredNs = System.nanoTime();
        long timestamp = sent.snapshotTimestamp();
        long deadlineNs = answeredNs + options.patience().toNanos();
        boolean published = follower.awaitPublished(timestamp, acknowledged.epoch(), deadlineNs);
        long publishedNs = System.nanoTime();
        if (!published || !follower.awaitLoaded(timestamp, acknowledged.epoch(), deadlineNs)) {
          requireSameDatabase();
          throw notLoaded(timestamp);
        }
        if (isCommittedAs(timestamp)) {
          return report(sent, answeredNs, publishedNs);
        }
        LOG.log(
            Level.WARNING,
            "transaction {0} was acknowledged as snapshot {1} and lost: it is sent again",
            cargo.transactionId(),
            Long.toString(timestamp));
        if (!whenLost.pause()) {
          throw new ShipmentException(
              Fault.CANCELLED,
              String.format(
                  Locale.ROOT,
                  "transaction %s was acknowledged, the last time as snapshot %d, and lost each of %d times within %,d s",
                  cargo.transactionId(),
                  timestamp,
                  attempts,
                  options.patience().toSeconds()));
        }
      }
    }

    /**
     * If the primary could not store what it had applied, another entry has the timestamp, or the
     * log goes on from before it in a later epoch. The replica has loaded nothing but entries of
     * the cluster's log, so what it does not have is lost.
     */
    private boolean isCommittedAs(long timestamp) {
      OptionalLong committed = replica.timestampOf(cargo.transactionId());
      return committed.isPresent() && committed.getAsLong() == timestamp;
    }

    private IOException notLoaded(long timestamp) {
      IOException failure = follower.failure();
      return new IOException(
          String.format(
              Locale.ROOT,
              "snapshot %d of transaction %s is not loaded after %,d s: %s",
              timestamp,
              cargo.transactionId(),
              options.patience().toSeconds(),
              failure == null ? "it is not published" : failure.getMessage()),
          failure);
    }

    /** Nothing is sent that was made on a snapshot of something else. */
    private void requireSameDatabase() throws ForeignDatabaseException {
      if (follower.failure() instanceof ForeignDatabaseException foreign) {
        throw foreign;
      }
    }

    private PrimarySender.Sent send() throws IOException, InterruptedException {
      SendOptions patient = new SendOptions(how, SendOptions.NO_DEADLINE, LONGEST_WAIT_FOR_ROOM);
      Backoff backoff = new Backoff(options.patience());
      Backoff whenBusy = new Backoff(options.patience(), LONGEST_PAUSE_WHEN_BUSY);
      while (true) {
        requireSameDatabase();
        attempts++;
        IOException failure;
        Fault fault = Fault.PEER_GONE;
        try {
          return sender.send(cargo, patient);
        } catch (ShipmentException e) {
          uncertain |= e.outcome() == ShipmentException.Outcome.UNKNOWN;
          if (!e.fault().isTransient()) {
            throw e;
          }
          failure = e;
          fault = e.fault();
        } catch (IOException e) {
          failure = e;
        }
        LOG.log(
            Level.DEBUG,
            "transaction {0}, attempt {1}: {2}",
            cargo.transactionId(),
            attempts,
            failure.getMessage());
        if (fault == Fault.BUSY ? !whenBusy.pause() : !pause(backoff)) {
          throw new ShipmentException(
              fault,
              String.format(
                  Locale.ROOT,
                  "transaction %s got no answer in %d attempts within %,d s: %s",
                  cargo.transactionId(),
                  attempts,
                  options.patience().toSeconds(),
                  failure.getMessage()),
              failure);
        }
      }
    }

    /** Waits for the next attempt, which follows at once if another primary is elected. */
    private boolean pause(Backoff backoff) throws InterruptedException {
      long pauseMs = backoff.nextMs();
      if (pauseMs < 0) {
        return false;
      }
      if (sender.awaitOther(pauseMs)) {
        backoff.startOver();
      }
      return true;
    }

    private CommitReport report(SendReport sent, long answeredNs, long publishedNs) {
      long loadedNs = System.nanoTime();
      return new CommitReport(
          sent.snapshotTimestamp(),
          sent,
          convertedNs - beganNs,
          publishedNs - answeredNs,
          loadedNs - publishedNs,
          loadedNs - beganNs,
          attempts);
    }
  }

  @Override
  public void close() {
    appliedWatch.close();
    watch.close();
    membership.close();
    sender.close();
    follower.close();
    replica.close();
  }
}
