package io.drayage.transactor;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which transaction made which snapshot, from the base on. Not thread-safe.
 *
 * <p>It knows the snapshots by identity, without keeping them alive: a timestamp alone would not
 * tell a snapshot from one of the same number that was made after a reset.
 */
final class CommitLog {
  /** Without a transaction: a snapshot that changes nothing. */
  private record Commit(@Nullable UUID transactionId, WeakReference<StoreSnapshot> snapshot) {}

  private final WeakReference<StoreSnapshot> base;
  private final long baseTimestamp;
  private final List<Commit> commits = new ArrayList<>();
  private final Map<UUID, Long> timestamps = new HashMap<>();

  CommitLog(StoreSnapshot base) {
    this.base = new WeakReference<>(base);
    this.baseTimestamp = base.timestamp();
  }

  boolean isEmpty() {
    return commits.isEmpty();
  }

  /** The timestamp that the transaction was given; null if it has not committed. */
  @Nullable Long timestampOf(UUID transactionId) {
    return timestamps.get(transactionId);
  }

  /** A transaction that had committed before the base snapshot, or in it. */
  void addEarlier(UUID transactionId, long timestamp) {
    timestamps.put(transactionId, timestamp);
  }

  /** All transactions that are known to have committed. */
  Map<UUID, Long> timestamps() {
    return Map.copyOf(timestamps);
  }

  /** Adds a commit. If this fails half-way for want of memory, {@link #remove} mends it. */
  void add(UUID transactionId, StoreSnapshot snapshot) {
    commits.add(new Commit(transactionId, new WeakReference<>(snapshot)));
    timestamps.put(transactionId, snapshot.timestamp());
  }

  /** Adds a snapshot that changes nothing. */
  void addUnchanged(StoreSnapshot snapshot) {
    commits.add(new Commit(null, new WeakReference<>(snapshot)));
  }

  /** Takes back the last {@link #add}, even one that failed half-way. Allocates nothing. */
  void remove(UUID transactionId) {
    timestamps.remove(transactionId);
    int last = commits.size() - 1;
    if (last >= 0 && transactionId.equals(commits.get(last).transactionId)) {
      commits.remove(last);
    }
  }

  /**
   * Forgets the commits after {@code snapshot}.
   *
   * @throws IllegalArgumentException if none of the commits made it, and it is not the base
   */
  void truncateTo(StoreSnapshot snapshot) {
    long kept = snapshot.timestamp() - baseTimestamp;
    if (kept < 0 || kept > commits.size() || !snapshotAt((int) kept).refersTo(snapshot)) {
      throw new IllegalArgumentException(
          "snapshot %d is none of those from %d to %d that led to the current one"
              .formatted(snapshot.timestamp(), baseTimestamp, baseTimestamp + commits.size()));
    }
    List<Commit> forgotten = commits.subList((int) kept, commits.size());
    for (Commit commit : forgotten) {
      if (commit.transactionId != null) {
        timestamps.remove(commit.transactionId);
      }
    }
    forgotten.clear();
  }

  private WeakReference<StoreSnapshot> snapshotAt(int commitCount) {
    return commitCount == 0 ? base : commits.get(commitCount - 1).snapshot;
  }
}
