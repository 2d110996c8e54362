package io.drayage.transactor;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Term;
import io.drayage.internal.Waits;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Signals to the thread of a {@link PrimaryRole}: elections of the present candidacy, the reason to
 * end the present term, and that the node resigns. The first reason for a term counts. A reason for
 * any other term has no effect. Thread-safe; signals never block, since the monitor is only held
 * for these fields.
 */
final class RoleSignals {
  /** The listener of the present candidacy. Guarded by this, as are the following fields. */
  private @Nullable Candidate candidate;

  /** The elected term, until {@link #awaitElected} returns it. */
  private @Nullable Term elected;

  /** The epoch of the last term that was returned. */
  private long epoch;

  private @Nullable Ending ending;
  private boolean resigning;
  private boolean done;

  private final LongSupplier newestEpoch;

  /**
   * @param newestEpoch see {@link CandidacyListener#newestEpoch}
   */
  RoleSignals(LongSupplier newestEpoch) {
    this.newestEpoch = newestEpoch;
  }

  /**
   * The end of a term.
   *
   * @param reason for the log and for the senders of open shipments
   * @param isAsked whether it was requested: then applied commits are stored and published first
   * @param candidacy the next state of the candidacy
   */
  record Ending(String reason, boolean isAsked, Candidacy candidacy) {
    static Ending resigned() {
      return new Ending("the transactor is shutting down", true, Candidacy.ENDS);
    }

    static Ending deposed() {
      return new Ending("another transactor was elected, or may have been", false, Candidacy.STAYS);
    }

    /** The end of a term that cannot begin or go on. */
    static Ending failed(String reason) {
      return new Ending(reason, false, Candidacy.BEGINS_ANEW);
    }

    static Ending handedOver(String to) {
      return new Ending("it was asked to hand over to " + to, true, Candidacy.BEGINS_ANEW);
    }

    /** The end if no term can begin with the store of this node. */
    static Ending unfit(String reason) {
      return new Ending(reason, false, Candidacy.ENDS);
    }
  }

  /** The candidacy of the node after one of its terms ends. */
  enum Candidacy {
    STAYS,
    /** The node stands again, behind all others. */
    BEGINS_ANEW,
    ENDS
  }

  /** Listens to one candidacy, while it is the present one. */
  private final class Candidate implements CandidacyListener {
    @Override
    public long newestEpoch() {
      return newestEpoch.getAsLong();
    }

    @Override
    public void elected(Term term) {
      note(this, term);
    }

    @Override
    public void deposed(Term term) {
      note(this, term.epoch());
    }
  }

  /** Creates the listener of a new candidacy. The previous listener has no effect any more. */
  synchronized CandidacyListener newCandidate() {
    Candidate begun = new Candidate();
    candidate = begun;
    elected = null;
    return begun;
  }

  private synchronized void note(Candidate listener, Term term) {
    if (listener == candidate) {
      elected = term;
      notifyAll();
    }
  }

  private synchronized void note(Candidate listener, long deposed) {
    if (listener == candidate) {
      if (elected != null && elected.epoch() == deposed) {
        elected = null;
      }
      end(deposed, Ending.deposed());
    }
  }

  /** Requests the end of a term. */
  synchronized void end(long termEpoch, Ending why) {
    if (termEpoch == epoch && ending == null) {
      ending = why;
      notifyAll();
    }
  }

  /** Requests the end of the role. */
  synchronized void resign() {
    resigning = true;
    notifyAll();
  }

  synchronized boolean isResigning() {
    return resigning;
  }

  /** Waits for the next election; null if the node resigns. */
  synchronized @Nullable Term awaitElected() throws InterruptedException {
    while (elected == null && !resigning) {
      wait();
    }
    Term taken = elected;
    if (resigning || taken == null) {
      return null;
    }
    elected = null;
    ending = null;
    epoch = taken.epoch();
    return taken;
  }

  /** The reason to end the last returned term; null if the term is to go on. */
  synchronized @Nullable Ending ending() {
    return resigning ? Ending.resigned() : ending;
  }

  /** Waits for the end of the last returned term. */
  synchronized Ending awaitEnding() throws InterruptedException {
    Ending why = ending();
    while (why == null) {
      wait();
      why = ending();
    }
    return why;
  }

  /** Waits a while, or until the term is to end. */
  synchronized void pause(long ms) throws InterruptedException {
    if (ending() == null) {
      TimeUnit.MILLISECONDS.timedWait(this, ms);
    }
  }

  /** Waits a while between two candidacies, or until the node resigns. */
  synchronized void rest(long ms) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    Waits.until(this, endNs, () -> resigning);
  }

  /** Notes that the thread has ended. */
  synchronized void finish() {
    done = true;
    notifyAll();
  }

  /** Waits until the thread has ended. */
  synchronized void awaitFinished() throws InterruptedException {
    while (!done) {
      wait();
    }
  }
}
