package io.drayage.store;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Maps transactions to the snapshots they created, for a window of recent snapshots. Not
 * thread-safe.
 *
 * <p>A transaction older than the window is forgotten, whether it committed here or before the
 * base. A transaction's base precedes its own snapshot, so one based on {@link #knownSince} or
 * later is known if it has committed.
 *
 * <p>Snapshots are identified by reference, without keeping them alive: after a reset, another
 * snapshot may have the same timestamp.
 */
final class CommitLog {
  /** Without a transaction: a snapshot without changes. */
  private record Commit(@Nullable UUID transactionId, WeakReference<StoreSnapshot> snapshot) {}

  /** A transaction from before the base. */
  private record Earlier(UUID transactionId, long timestamp) {}

  private final int window;
  private WeakReference<StoreSnapshot> base;
  private long baseTimestamp;
  private long knownSince;

  /** Oldest first, one for each timestamp after the base. */
  private final ArrayDeque<Commit> commits = new ArrayDeque<>();

  /** Oldest first. */
  private final Queue<Earlier> earlier;

  private final Map<UUID, Long> timestamps = new HashMap<>();

  /**
   * @param committed transactions from before the base, with their timestamps: all within the
   *     window, and perhaps older ones
   * @param window number of snapshots whose transactions are known
   */
  CommitLog(StoreSnapshot base, Map<UUID, Long> committed, int window) {
    this.window = window;
    this.base = new WeakReference<>(base);
    this.baseTimestamp = base.timestamp();
    this.earlier = new ArrayDeque<>();
    committed.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(each -> addEarlier(each.getKey(), each.getValue()));
    forget();
  }

  private void addEarlier(UUID transactionId, long timestamp) {
    earlier.add(new Earlier(transactionId, timestamp));
    timestamps.put(transactionId, timestamp);
  }

  boolean isEmpty() {
    return commits.isEmpty();
  }

  /** All transactions since this snapshot are known. Never decreases. */
  long knownSince() {
    return knownSince;
  }

  private long newest() {
    return baseTimestamp + commits.size();
  }

  /** Forgets what is older than the window. */
  private void forget() {
    long begin = newest() - window;
    knownSince = Math.max(knownSince, begin);
    while (!earlier.isEmpty() && earlier.element().timestamp <= knownSince) {
      timestamps.remove(earlier.remove().transactionId);
    }
    while (baseTimestamp < begin) {
      Commit oldest = commits.remove();
      base = oldest.snapshot;
      baseTimestamp++;
      if (oldest.transactionId != null) {
        timestamps.remove(oldest.transactionId);
      }
    }
  }

  /** The timestamp of the transaction; null if it has not committed. */
  @Nullable Long timestampOf(UUID transactionId) {
    return timestamps.get(transactionId);
  }

  /** All committed transactions that are known. */
  Map<UUID, Long> timestamps() {
    return Map.copyOf(timestamps);
  }

  /** Adds a commit. If memory runs out half-way, {@link #remove} repairs it. */
  void add(UUID transactionId, StoreSnapshot snapshot) {
    commits.add(new Commit(transactionId, new WeakReference<>(snapshot)));
    timestamps.put(transactionId, snapshot.timestamp());
    forget();
  }

  /** Adds a snapshot without changes. */
  void addUnchanged(StoreSnapshot snapshot) {
    commits.add(new Commit(null, new WeakReference<>(snapshot)));
    forget();
  }

  /** Undoes the last {@link #add}, even one that failed half-way. Allocates nothing. */
  void remove(UUID transactionId) {
    timestamps.remove(transactionId);
    Commit last = commits.peekLast();
    if (last != null && transactionId.equals(last.transactionId)) {
      commits.removeLast();
    }
  }

  /**
   * Forgets the commits after {@code snapshot}.
   *
   * @throws IllegalArgumentException if it is neither the base nor the snapshot of a commit in the
   *     window
   */
  void truncateTo(StoreSnapshot snapshot) {
    long kept = snapshot.timestamp() - baseTimestamp;
    if (kept < 0 || kept > commits.size() || !snapshotAt(kept).refersTo(snapshot)) {
      throw new IllegalArgumentException(
          "snapshot %d is not one of those from %d to %d that led to the current one"
              .formatted(snapshot.timestamp(), baseTimestamp, baseTimestamp + commits.size()));
    }
    while (commits.size() > kept) {
      UUID transactionId = commits.removeLast().transactionId;
      if (transactionId != null) {
        timestamps.remove(transactionId);
      }
    }
  }

  /** Searches from the newest: few commits are ever undone. */
  private WeakReference<StoreSnapshot> snapshotAt(long commitCount) {
    long at = commits.size();
    for (Iterator<Commit> it = commits.descendingIterator(); it.hasNext(); at--) {
      Commit commit = it.next();
      if (at == commitCount) {
        return commit.snapshot;
      }
    }
    return base;
  }
}
