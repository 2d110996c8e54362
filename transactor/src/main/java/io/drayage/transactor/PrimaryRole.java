package io.drayage.transactor;

import io.drayage.codec.pool.DaemonThreads;
import io.drayage.codec.pool.FatalErrors;
import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.snapshot.CrashPoint;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's role as primary: stands for election, takes over when elected, and steps down when
 * deposed or when the term fails, in which case it stands again. Thread-safe.
 */
final class PrimaryRole implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PrimaryRole.class.getName());
  private static final long RETRY_MS = 200;

  /** Resigns the election if the takeover does not finish within this time. */
  private static final long TAKEOVER_PATIENCE_NS = 10_000_000_000L;

  private final Coordination coordination;
  private final NodeInfo node;
  private final Replica replica;
  private final LogFollower follower;
  private final NewTerm newTerm;
  private final long drainMs;

  /**
   * Held while a term begins or ends: it begins when the previous one has released the replica, and
   * closing waits for either. Acquired before this object's own monitor.
   */
  private final Object takingOver = new Object();

  /** Guarded by this, as all that follows. */
  private @Nullable Registration candidacy;

  private @Nullable PrimaryTerm primary;

  /** The term that {@link #resign} has ended. */
  private @Nullable PrimaryTerm resigned;

  private boolean closed;

  private volatile @Nullable Exception takeoverFailure;

  /** The last epoch whose primary was asked to make way. */
  private volatile long unwanted;

  /** Creates a term. */
  interface NewTerm {
    /**
     * Creates one that has not begun yet.
     *
     * @param whenLost must be told why the term fails, if it does
     */
    PrimaryTerm create(Takeover.Done done, Consumer<String> whenLost) throws IOException;
  }

  /**
   * @param follower paused during a term, in which the primary itself changes the replica
   * @param drainMs how long a term that ends on demand has to store and publish the commits that
   *     are applied
   */
  PrimaryRole(
      Coordination coordination,
      NodeInfo node,
      Replica replica,
      LogFollower follower,
      NewTerm newTerm,
      long drainMs) {
    this.coordination = coordination;
    this.node = node;
    this.replica = replica;
    this.follower = follower;
    this.newTerm = newTerm;
    this.drainMs = drainMs;
  }

  /** Stands for election, or stands again. */
  void stand() throws CoordinationException {
    Registration before;
    synchronized (this) {
      before = candidacy;
      candidacy = null;
    }
    if (before != null) {
      before.close();
    }
    synchronized (this) {
      if (!closed) {
        candidacy = coordination.stand(node, new Listener());
      }
    }
  }

  private final class Listener implements CandidacyListener {
    @Override
    public void elected(Term term) {
      takeOver(term);
    }

    @Override
    public void deposed(Term term) {
      stepDown(term.epoch(), "another transactor was elected, or may have been");
    }
  }

  /** The current term as primary; null of a standby. */
  synchronized @Nullable PrimaryTerm term() {
    return primary;
  }

  /** Why an elected node has not taken over yet; null if nothing is wrong. */
  @Nullable Exception takeoverFailure() {
    return takeoverFailure;
  }

  private String label() {
    return node.name() + " at " + node.address();
  }

  /** Called on the candidacy's thread, which reports no other election meanwhile. */
  private void takeOver(Term term) {
    LOG.log(Level.INFO, "{0} is elected, epoch {1}", label(), Long.toString(term.epoch()));
    CrashPoint.ELECTED.reach();
    try {
      if (takeOverUntilDone(term)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      takeoverFailure = null;
    }
    follower.resume();
  }

  /** False if the term ended before the takeover was done. */
  private boolean takeOverUntilDone(Term term) throws InterruptedException {
    long beganNs = System.nanoTime();
    while (!term.isOver() && !isClosed()) {
      Exception failure;
      try {
        if (tryTakeOver(term)) {
          return true;
        }
        continue;
      } catch (IOException | RuntimeException e) {
        failure = e;
      } catch (Error e) {
        failure = new IllegalStateException(e.toString(), e);
      }
      // For instance a snapshot that exceeds this node's memory: another node may have more.
      FatalErrors.report(failure);
      if (isClosed()) {
        return true;
      }
      noteTakeoverFailure(failure);
      if (failure instanceof ForeignDatabaseException) {
        withdrawLater();
        return false;
      }
      if (System.nanoTime() - beganNs > TAKEOVER_PATIENCE_NS) {
        failLater(term.epoch(), "it cannot take over");
        return false;
      }
      Thread.sleep(RETRY_MS);
    }
    return false;
  }

  /**
   * Stands no more: this node cannot become primary with the store that it has. On a new thread,
   * since the candidacy's own would wait for itself.
   */
  private void withdrawLater() {
    new DaemonThreads("drayage-withdraw")
        .newThread(
            () -> {
              Registration standing;
              synchronized (this) {
                standing = candidacy;
                candidacy = null;
              }
              if (standing != null) {
                standing.close();
              }
            })
        .start();
  }

  private void noteTakeoverFailure(Exception failure) {
    Exception before = takeoverFailure;
    takeoverFailure = failure;
    if (before == null || !failure.toString().equals(before.toString())) {
      LOG.log(Level.WARNING, "the takeover has to wait: {0}", failure.toString());
    }
  }

  private boolean tryTakeOver(Term term) throws IOException, InterruptedException {
    synchronized (takingOver) {
      if (isClosed()) {
        return false;
      }
      follower.pause();
      begin(new Takeover(replica, term, coordination.name()).run());
      return true;
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void begin(Takeover.Done done) throws IOException {
    long epoch = done.term().epoch();
    PrimaryTerm begun = newTerm.create(done, reason -> failLater(epoch, reason));
    synchronized (this) {
      if (closed) {
        begun.close();
        return;
      }
      primary = begun;
    }
    begun.start();
    LOG.log(
        Level.INFO,
        "{0} is primary from snapshot {1} on, epoch {2}",
        label(),
        Long.toString(replica.snapshot().timestamp()),
        Long.toString(epoch));
    if (unwanted == epoch) {
      handOver(epoch);
    }
  }

  /** On a new thread: a thread of the term must not wait for the term's end. */
  private void failLater(long epoch, String reason) {
    new DaemonThreads("drayage-step-down")
        .newThread(
            () -> {
              stepDown(epoch, reason);
              standAgain();
            })
        .start();
  }

  /**
   * Makes way for the next candidate, if it is or becomes the primary of that epoch: accepts no
   * more shipments, publishes the commits that are applied, and stands again as the last in turn.
   * Returns at once.
   */
  void handOver(long epoch) {
    unwanted = epoch;
    new DaemonThreads("drayage-hand-over")
        .newThread(
            () -> {
              if (end(epoch, drainMs, Level.INFO, "it was asked to hand over")) {
                standAgain();
              }
            })
        .start();
  }

  private void standAgain() {
    while (!isClosed()) {
      try {
        stand();
        return;
      } catch (CoordinationException e) {
        LOG.log(Level.WARNING, "{0} cannot stand for election yet: {1}", label(), e.getMessage());
      }
      try {
        Thread.sleep(RETRY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void stepDown(long epoch, String reason) {
    boolean unused = end(epoch, 0, Level.WARNING, reason);
  }

  /** Ends the term of an epoch; false if it is not the current one. */
  private boolean end(long epoch, long drainMs, Level level, String reason) {
    synchronized (takingOver) {
      PrimaryTerm ended;
      synchronized (this) {
        ended = primary;
        if (ended == null || ended.epoch() != epoch) {
          return false;
        }
        primary = null;
      }
      LOG.log(
          level, "{0} is no longer primary, epoch {1}: {2}", label(), Long.toString(epoch), reason);
      ended.end(drainMs, reason);
      ended.close();
      follower.resume();
      return true;
    }
  }

  /**
   * Withdraws from the election for good. A current term accepts no more shipments, and publishes
   * the commits that are applied.
   */
  void resign() {
    PrimaryTerm ended;
    Registration standing;
    synchronized (this) {
      closed = true;
      standing = candidacy;
    }
    synchronized (takingOver) {
      synchronized (this) {
        ended = primary;
        primary = null;
        resigned = ended;
      }
    }
    if (ended != null) {
      ended.end(drainMs, "the transactor is shutting down");
    }
    if (standing != null) {
      standing.close();
    }
  }

  /** Frees the resources of the last term. Must be called after {@link #resign}. */
  @Override
  public synchronized void close() {
    if (resigned != null) {
      resigned.close();
    }
  }
}
