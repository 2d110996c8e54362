package io.drayage.store;

import static io.drayage.internal.Texts.format;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps transactions to the snapshots they created, for a window of recent snapshots. Not
 * thread-safe, but for {@link #timestampOf}.
 *
 * <p>A transaction older than the window is forgotten, whether it committed here or before the
 * base. A transaction's base precedes its own snapshot, so one based on {@link #knownSince} or
 * later is known if it has committed.
 *
 * <p>Snapshots are identified by reference, without keeping them alive: after a reset, another
 * snapshot may have the same timestamp.
 */
final class CommitLog {
  private final int window;

  /** Also of transactions from before the base. */
  private final Map<UUID, Long> timestamps = new ConcurrentHashMap<>();

  /** The keys of {@link #timestamps}, by ascending timestamp. */
  private final ArrayDeque<UUID> oldestFirst = new ArrayDeque<>();

  /** Oldest first, one for each timestamp. At least the base. */
  private final ArrayDeque<WeakReference<StoreSnapshot>> snapshots = new ArrayDeque<>();

  private long newest;
  private long knownSince;

  /**
   * @param committed transactions from before the base, with their timestamps: all within the
   *     window, and perhaps older ones
   * @param window number of snapshots whose transactions are known
   */
  CommitLog(StoreSnapshot base, Map<UUID, Long> committed, int window) {
    this.window = window;
    committed.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(each -> put(each.getKey(), each.getValue()));
    addUnchanged(base);
  }

  /** Whether there was no commit since the base. */
  boolean isEmpty() {
    return snapshots.size() == 1;
  }

  /** All transactions since this snapshot are known. Never decreases. */
  long knownSince() {
    return knownSince;
  }

  private long oldest() {
    return newest - snapshots.size() + 1;
  }

  /** Forgets what is older than the window. */
  private void forget() {
    knownSince = Math.max(knownSince, newest - window);
    while (!oldestFirst.isEmpty() && !isAfter(oldestFirst.getFirst(), knownSince)) {
      timestamps.remove(oldestFirst.removeFirst());
    }
    while (snapshots.size() > window + 1) {
      snapshots.remove();
    }
  }

  private boolean isAfter(UUID transactionId, long timestamp) {
    Long own = timestamps.get(transactionId);
    return own != null && own > timestamp;
  }

  private void put(UUID transactionId, long timestamp) {
    timestamps.put(transactionId, timestamp);
    oldestFirst.add(transactionId);
  }

  /** The timestamp of the transaction; null if it has not committed. Thread-safe, never blocks. */
  @Nullable Long timestampOf(UUID transactionId) {
    return timestamps.get(transactionId);
  }

  /** All committed transactions that are known. */
  Map<UUID, Long> timestamps() {
    return Map.copyOf(timestamps);
  }

  /** Adds a commit. If memory runs out half-way, {@link #remove} repairs it. */
  void add(UUID transactionId, StoreSnapshot snapshot) {
    put(transactionId, snapshot.timestamp());
    addUnchanged(snapshot);
  }

  /** Adds a snapshot without changes. */
  void addUnchanged(StoreSnapshot snapshot) {
    snapshots.add(new WeakReference<>(snapshot));
    newest = snapshot.timestamp();
    forget();
  }

  /** Undoes the last {@link #add}, even one that failed half-way. Allocates nothing. */
  void remove(UUID transactionId, StoreSnapshot snapshot) {
    timestamps.remove(transactionId);
    if (transactionId.equals(oldestFirst.peekLast())) {
      oldestFirst.removeLast();
    }
    if (snapshots.getLast().refersTo(snapshot)) {
      snapshots.removeLast();
      newest = snapshot.timestamp() - 1;
    }
  }

  /**
   * Forgets the commits after {@code snapshot}.
   *
   * @throws IllegalArgumentException if it is neither the base nor the snapshot of a commit in the
   *     window
   */
  void truncateTo(StoreSnapshot snapshot) {
    // From the newest: few commits are ever undone.
    long undone = 0;
    for (Iterator<WeakReference<StoreSnapshot>> it = snapshots.descendingIterator();
        it.hasNext() && !it.next().refersTo(snapshot); ) {
      undone++;
    }
    if (undone == snapshots.size()) {
      throw new IllegalArgumentException(
          format(
              "snapshot %d is not one of those from %d to %d that led to the current one",
              snapshot.timestamp(), oldest(), newest));
    }
    while (!oldestFirst.isEmpty() && isAfter(oldestFirst.getLast(), snapshot.timestamp())) {
      timestamps.remove(oldestFirst.removeLast());
    }
    for (; undone > 0; undone--) {
      snapshots.removeLast();
    }
    newest = snapshot.timestamp();
  }
}
