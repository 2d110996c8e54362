package io.drayage.transactor;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Term;
import io.drayage.internal.Waits;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What others tell the thread of a {@link PrimaryRole}: elections of the present candidacy, why the
 * present term is to end, and that the node resigns. Of several reasons for one term the first
 * counts, and a reason for any other term has no effect. Thread-safe; telling never waits, since
 * the monitor is only held for these fields.
 */
final class RoleSignals {
  /** Guarded by this, as all that follows. The listener of the present candidacy. */
  private @Nullable Candidate candidate;

  /** Elected, and not yet taken by {@link #awaitElected}. */
  private @Nullable Term elected;

  /** The epoch of the term that was taken last. */
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
   * Why a term ends.
   *
   * @param reason for the log and for those whose shipments end
   * @param isAsked whether it was asked for: then applied commits are stored and published first
   * @param candidacy what becomes of the candidacy
   */
  record Ending(String reason, boolean isAsked, Candidacy candidacy) {
    static Ending resigned() {
      return new Ending("the transactor is shutting down", true, Candidacy.ENDS);
    }

    static Ending deposed() {
      return new Ending("another transactor was elected, or may have been", false, Candidacy.STAYS);
    }

    /** The term cannot begin, or cannot go on. */
    static Ending failed(String reason) {
      return new Ending(reason, false, Candidacy.BEGINS_ANEW);
    }

    static Ending handedOver(String to) {
      return new Ending("it was asked to hand over to " + to, true, Candidacy.BEGINS_ANEW);
    }

    /** No term can begin with the store that this node has. */
    static Ending unfit(String reason) {
      return new Ending(reason, false, Candidacy.ENDS);
    }
  }

  /** Where the node stands when one of its terms ends. */
  enum Candidacy {
    STAYS,
    /** It stands again, after all others. */
    BEGINS_ANEW,
    ENDS
  }

  /** Listens to one candidacy, as long as it is the present one. */
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

  /** The listener of a new candidacy; that of the one before has no effect any more. */
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

  /** Asks for the end of a term. */
  synchronized void end(long termEpoch, Ending why) {
    if (termEpoch == epoch && ending == null) {
      ending = why;
      notifyAll();
    }
  }

  /** Asks for the end of everything. */
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

  /** Why the term that was taken last is to end; null if it is to go on. */
  synchronized @Nullable Ending ending() {
    return resigning ? Ending.resigned() : ending;
  }

  /** Waits for the end of the term that was taken last. */
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

  /** The thread has ended. */
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
