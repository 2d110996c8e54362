package io.drayage.transactor;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.internal.Waits;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.transactor.RoleSignals.Candidacy;
import io.drayage.transactor.RoleSignals.Ending;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's role as primary. It stands for election, takes over when elected, and steps down when it
 * is deposed, fails, or is asked to. If not deposed, it stands again behind all others.
 *
 * <p>One thread does all of this. Only this thread calls the coordination, the replica and the
 * term. So the node has one candidacy at a time, and ends a term once. Other threads leave a signal
 * ({@link RoleSignals}) and go on. Thread-safe; {@link #term} and {@link #takeoverFailure} never
 * block.
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
  private final NodeEvents events;
  private final RoleSignals signals;

  private volatile @Nullable PrimaryTerm primary;
  private volatile @Nullable Exception takeoverFailure;

  /** The last request to hand over, which may come before the term has begun. */
  private volatile @Nullable HandOver request;

  private volatile Runnable whenChanged = () -> {};

  /** Creates a term. */
  interface NewTerm {
    /**
     * Creates a term that has not begun yet.
     *
     * @param whenLost must be called with the reason if the term fails; returns at once
     */
    PrimaryTerm create(Takeover.Done done, Consumer<String> whenLost) throws IOException;
  }

  /**
   * @param follower paused during a term, in which the primary itself changes the replica
   * @param drainMs time to store and publish the applied commits, for a term that ends on request
   * @param events gets the changes of the role
   */
  PrimaryRole(
      Coordination coordination,
      NodeInfo node,
      Replica replica,
      LogFollower follower,
      NewTerm newTerm,
      long drainMs,
      NodeEvents events) {
    this.coordination = coordination;
    this.node = node;
    this.replica = replica;
    this.follower = follower;
    this.newTerm = newTerm;
    this.drainMs = drainMs;
    this.events = events;
    this.signals = new RoleSignals(replica::epoch);
  }

  /** Sets the listener for the begin and the end of a term. It must not block. */
  void whenChanged(Runnable listener) {
    whenChanged = listener;
  }

  /**
   * Stands for election, from now on until it is closed. Must be called once.
   *
   * @throws CoordinationException if it cannot stand now; then it never will
   */
  void start() throws CoordinationException {
    try (Begun begun = new Begun(signals::finish)) {
      Registration candidacy = stand();
      new DaemonThreads("drayage-role").newThread(() -> run(candidacy)).start();
      begun.keep(candidacy);
    }
  }

  private Registration stand() throws CoordinationException {
    CandidacyListener listener = signals.newCandidate();
    return coordination.stand(node, listener);
  }

  /** The current term as primary; null for a standby. */
  @Nullable PrimaryTerm term() {
    return primary;
  }

  /** The reason why an elected node has not taken over yet, or never can; null if there is none. */
  @Nullable Exception takeoverFailure() {
    return takeoverFailure;
  }

  /**
   * Hands over to another node, if this node is or becomes the primary of the epoch, and the other
   * node has caught up. Accepts no more shipments, publishes the applied commits, and stands again
   * behind all others. Otherwise it withdraws the request. Returns at once.
   */
  void handOver(HandOver wanted) {
    request = wanted;
    PrimaryTerm term = primary;
    if (term != null && term.epoch() == wanted.epoch()) {
      // The reports of the other node arrive with a delay.
      new DaemonThreads("drayage-hand-over").newThread(() -> makeWay(wanted)).start();
    }
  }

  private void makeWay(HandOver wanted) {
    String other = wanted.to();
    try {
      long published = follower.published();
      if (!other.equals(node.name())
          && CatchUp.await(coordination, other, published, CatchUp.LIMIT)) {
        signals.end(wanted.epoch(), Ending.handedOver(other));
        return;
      }
      String why =
          other.equals(node.name())
              ? other + " is the primary"
              : CatchUp.describe(coordination, other, published);
      events.add(LOG, Level.WARNING, "{0} does not hand over to {1}: {2}", label(), other, why);
      // If this node fails later, the other node must not be preferred.
      coordination.withdrawHandOver(wanted, why);
    } catch (CoordinationException e) {
      events.add(LOG, Level.WARNING, "{0} does not hand over: {1}", label(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Withdraws from the election for good, and waits until that is done. A current term accepts no
   * more shipments, and publishes the applied commits. Must be started before.
   */
  @Override
  public void close() {
    signals.resign();
    Waits.orInterrupted(signals::awaitFinished);
  }

  private String label() {
    return node.name() + " at " + node.address();
  }

  private void run(Registration first) {
    try {
      @Nullable Registration candidacy = first;
      while (candidacy != null) {
        Candidacy next = Candidacy.BEGINS_ANEW;
        try {
          next = followElections(candidacy);
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, label() + " failed, and stands for election again", e);
          FatalErrors.report(e);
        } finally {
          withdraw(candidacy); // Even after an error, so that others are elected.
        }
        candidacy = next == Candidacy.ENDS ? null : standAgain();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      signals.finish();
    }
  }

  /** Follows one candidacy until it is to be withdrawn. */
  private Candidacy followElections(Registration candidacy) throws InterruptedException {
    Candidacy next = Candidacy.STAYS;
    while (next == Candidacy.STAYS) {
      Term term = signals.awaitElected();
      next = term == null ? Candidacy.ENDS : rule(term, candidacy).candidacy();
    }
    return next;
  }

  /** Stands again; null if the node resigns before that. */
  private @Nullable Registration standAgain() throws InterruptedException {
    while (!signals.isResigning()) {
      try {
        return stand();
      } catch (CoordinationException | RuntimeException e) {
        LOG.log(Level.WARNING, "{0} cannot stand for election yet: {1}", label(), e.getMessage());
      }
      signals.rest(RETRY_MS);
    }
    return null;
  }

  /** Withdraws. Until then the node must not stand again: it would compete with itself. */
  private void withdraw(Registration candidacy) throws InterruptedException {
    while (true) {
      try {
        candidacy.close();
        return;
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "{0} cannot withdraw yet: {1}", label(), e.toString());
        if (signals.isResigning()) {
          return; // The candidacy ends when the node leaves the cluster.
        }
      }
      Thread.sleep(RETRY_MS);
    }
  }

  /** Runs one term, from its election to its end. May withdraw the candidacy at the end. */
  private Ending rule(Term term, Registration candidacy) throws InterruptedException {
    events.add(LOG, Level.INFO, "{0} is elected, epoch {1}", label(), Long.toString(term.epoch()));
    follower.pause();
    try {
      PrimaryTerm begun = takeOver(term);
      if (begun != null) {
        return serve(begun, candidacy);
      }
      Ending why = signals.ending();
      why = why == null ? Ending.failed("its term is over") : why;
      events.add(LOG, Level.INFO, "{0} does not take over: {1}", label(), why.reason());
      return why;
    } finally {
      primary = null;
      follower.resume();
    }
  }

  /** Takes over; null if the term is to end, or has ended, before the takeover was done. */
  private @Nullable PrimaryTerm takeOver(Term term) throws InterruptedException {
    long beganNs = System.nanoTime();
    long epoch = term.epoch();
    Takeover takeover = new Takeover(replica, term, coordination.name());
    @Nullable Exception unfit = null;
    try {
      while (signals.ending() == null && !term.isOver()) {
        Exception failure;
        try {
          Takeover.Done done = takeover.run();
          return newTerm.create(done, reason -> signals.end(epoch, Ending.failed(reason)));
        } catch (Takeover.LowEpochException e) {
          // A new election gives a higher epoch.
          signals.end(epoch, Ending.failed(String.valueOf(e.getMessage())));
          continue;
        } catch (ForeignDatabaseException e) {
          String why = String.valueOf(e.getMessage());
          boolean isSure = isStillPublished(term);
          signals.end(epoch, isSure ? Ending.unfit(why) : Ending.failed(why));
          unfit = isSure ? e : null;
          continue;
        } catch (IOException | RuntimeException e) {
          failure = e;
        } catch (Error e) {
          failure = new IllegalStateException(e.toString(), e);
        }
        // Another node may succeed, for instance if the snapshot exceeds only this node's memory.
        FatalErrors.report(failure);
        note(failure);
        if (System.nanoTime() - beganNs > TAKEOVER_PATIENCE_NS) {
          signals.end(epoch, Ending.failed("the takeover was not done in time: " + told(failure)));
        }
        signals.pause(RETRY_MS);
      }
      return null;
    } finally {
      takeoverFailure = unfit;
    }
  }

  /**
   * Whether the snapshot that was published when the term began still is. If not, the term is over,
   * and others may have replaced the entries of the store since.
   */
  private boolean isStillPublished(Term term) {
    try {
      return coordination
          .published()
          .map(PublishedSnapshot::position)
          .equals(term.publishedBefore());
    } catch (CoordinationException e) {
      return false;
    }
  }

  /** Messages of failures of stores are complete. Other failures need their class name. */
  private static String told(Exception failure) {
    String message = failure.getMessage();
    return failure instanceof IOException && message != null ? message : failure.toString();
  }

  private void note(Exception failure) {
    Exception before = takeoverFailure;
    takeoverFailure = failure;
    boolean isNew = before == null || !failure.toString().equals(before.toString());
    if (isNew && signals.ending() == null) {
      events.add(LOG, Level.WARNING, "the takeover has to wait: {0}", told(failure));
    }
  }

  private Ending serve(PrimaryTerm term, Registration candidacy) throws InterruptedException {
    String epoch = Long.toString(term.epoch());
    term.start();
    primary = term;
    events.add(
        LOG,
        Level.INFO,
        "{0} is primary from snapshot {1} on, epoch {2}",
        label(),
        Long.toString(replica.snapshot().timestamp()),
        epoch);
    whenChanged.run();
    HandOver early = request;
    if (early != null) {
      handOver(early);
    }
    Ending why = signals.awaitEnding();
    primary = null;
    whenChanged.run();
    events.add(
        LOG,
        why.isAsked() ? Level.INFO : Level.WARNING,
        "{0} is no longer primary, epoch {1}: {2}",
        label(),
        epoch,
        why.reason());
    try {
      term.end(why.isAsked() ? drainMs : 0, why.reason());
      if (why.candidacy() != Candidacy.STAYS) {
        withdraw(candidacy); // The next term need not wait until the rest is closed.
      }
    } finally {
      term.close();
    }
    return why;
  }
}
