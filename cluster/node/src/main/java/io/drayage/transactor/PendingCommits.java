package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.internal.Waits;
import io.drayage.store.StoreSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a term that are applied and not published yet, and whether the term is over.
 * Thread-safe. The monitor is never held for long.
 *
 * <p>A commit is queued for the log, and leaves the queue when its entry is in the log. It can be
 * found by its transaction until it is published.
 */
class PendingCommits {
  /** Limit of the commits that are applied and not stored. Bounds memory if the store stalls. */
  static final int MAX_UNSTORED = 64;

  /** Never grows, so that adding to it cannot fail for lack of memory. */
  private final Deque<PendingCommit> unstored = new ArrayDeque<>(MAX_UNSTORED + 1);

  private final Map<UUID, PendingCommit> unpublished = new HashMap<>();
  private StoreSnapshot newestStored;

  /** Set once, with the monitor. */
  private volatile @Nullable ShipmentException over;

  /**
   * @param stored the newest snapshot in the log
   */
  PendingCommits(StoreSnapshot stored) {
    this.newestStored = stored;
  }

  /**
   * Fails when the term is over. Does not block.
   *
   * @throws ShipmentException with the cause that {@link #end} was given
   */
  void requireTerm() throws ShipmentException {
    ShipmentException cause = over;
    if (cause != null) {
      throw new ShipmentException(cause.fault(), String.valueOf(cause.getMessage()), cause);
    }
  }

  boolean isOver() {
    return over != null;
  }

  /** The newest snapshot in the log. */
  synchronized StoreSnapshot newestStored() {
    return newestStored;
  }

  /** Number of commits that are queued for the log. */
  synchronized int unstoredCount() {
    return unstored.size();
  }

  /** The unpublished commit of a transaction; null if there is none. */
  synchronized @Nullable PendingCommit find(UUID transactionId) {
    return unpublished.get(transactionId);
  }

  /** The commit of an unpublished snapshot; null if there is none. */
  synchronized @Nullable PendingCommit find(long timestamp) {
    return unpublished.values().stream()
        .filter(commit -> commit.timestamp() == timestamp)
        .findAny()
        .orElse(null);
  }

  /** Waits while {@link #MAX_UNSTORED} commits are queued for the log. */
  synchronized void awaitCapacity() throws ShipmentException {
    requireTerm();
    try {
      while (unstored.size() >= MAX_UNSTORED) {
        wait();
        requireTerm();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "the commit was interrupted", e);
    }
  }

  /** Queues an applied commit for the log. If this fails, the commit is not queued. */
  synchronized void add(PendingCommit commit) {
    try (Begun begun = new Begun(() -> unpublished.remove(commit.transactionId()))) {
      unpublished.put(commit.transactionId(), commit);
      begun.keep();
    }
    unstored.add(commit);
    notifyAll();
  }

  /** Waits for the next commit to store, which stays queued; null when the term is over. */
  synchronized @Nullable PendingCommit awaitNext() {
    while (over == null && unstored.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        return null;
      }
    }
    return over == null ? unstored.peek() : null;
  }

  /** The queued commits from the next one to store on; none if another one is next. */
  synchronized List<PendingCommit> unstoredFrom(PendingCommit first) {
    return unstored.peek() == first ? List.copyOf(unstored) : List.of();
  }

  /**
   * Notes that a commit's entry is in the log.
   *
   * @param listener called before another thread can see that, unless the term is over. If the
   *     listener fails, nothing is noted
   * @return false if the term is over
   */
  synchronized boolean stored(PendingCommit commit, Consumer<StoreSnapshot> listener) {
    if (over != null) {
      return false;
    }
    listener.accept(commit.after());
    unstored.remove(commit);
    newestStored = commit.after();
    notifyAll();
    return true;
  }

  synchronized void published(PendingCommit commit) {
    unpublished.remove(commit.transactionId());
    notifyAll();
  }

  /** Whether a commit that is not stored was acknowledged. */
  synchronized boolean hasAnsweredUnstored() {
    return unstored.stream().anyMatch(PendingCommit::isAnsweredUnstored);
  }

  /** Removes the commits that are not stored, oldest first. */
  synchronized List<PendingCommit> removeUnstored() {
    List<PendingCommit> removed = new ArrayList<>(unstored);
    unstored.clear();
    removed.forEach(commit -> unpublished.remove(commit.transactionId()));
    notifyAll();
    return removed;
  }

  /**
   * Ends the term and removes all commits.
   *
   * @return the removed commits; null if the term was over already
   */
  synchronized @Nullable List<PendingCommit> end(ShipmentException cause) {
    if (over != null) {
      return null;
    }
    over = cause;
    List<PendingCommit> removed = new ArrayList<>(unpublished.values());
    unstored.clear();
    unpublished.clear();
    notifyAll();
    return removed;
  }

  /** Waits until all commits are published, the term is over, or the deadline has passed. */
  synchronized void awaitPublished(long deadlineNs) {
    Waits.orInterrupted(
        () -> Waits.until(this, deadlineNs, () -> over != null || unpublished.isEmpty()));
  }
}
