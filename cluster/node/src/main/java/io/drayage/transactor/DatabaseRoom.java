package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.store.MemoryLimit;
import io.drayage.store.MemoryStore;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The memory of a primary's database and its limit. Warns when the limit is near. Not thread-safe.
 */
final class DatabaseRoom {
  private static final System.Logger LOG = System.getLogger(DatabaseRoom.class.getName());

  /** Thresholds of the warnings, in percent of the limit, ascending. */
  private static final int[] WARNINGS = {80, 95};

  /** Decrease in percent after which a warning is given again. */
  private static final int CALM = 5;

  private final MemoryLimit limit;
  private final LongSupplier neededSince;

  /** Replaced pages that are still needed, oldest first. */
  private final Deque<Replaced> replaced = new ArrayDeque<>();

  private long retainedBytes;

  /** Number of thresholds for which a warning was given. */
  private int warned;

  /** The pages of snapshots before {@code timestamp} that this snapshot has replaced. */
  private record Replaced(long timestamp, long bytes) {}

  /**
   * @param store at the begin of the term
   * @param neededSince the timestamp of the oldest needed snapshot; snapshots that are not stored
   *     yet are needed in any case
   */
  DatabaseRoom(MemoryLimit limit, MemoryStore store, LongSupplier neededSince) {
    this.limit = limit;
    this.neededSince = neededSince;
    warn(store);
  }

  MemoryLimit limit() {
    return limit;
  }

  /** Upper bound of the bytes that snapshots before the newest need in addition. */
  long retainedBytes() {
    return retainedBytes;
  }

  /** Forgets the pages of snapshots before the newest stored one. */
  void forget(long storedTimestamp) {
    long oldest = Math.min(storedTimestamp, neededSince.getAsLong());
    while (!replaced.isEmpty() && replaced.getFirst().timestamp <= oldest) {
      retainedBytes -= replaced.removeFirst().bytes;
    }
  }

  /** Notes a commit. */
  void committed(MemoryStore store) {
    long bytes = store.lastCopiedBytes();
    replaced.addLast(new Replaced(store.snapshot().timestamp(), bytes));
    retainedBytes += bytes;
    warn(store);
  }

  private void warn(MemoryStore store) {
    if (limit.equals(MemoryLimit.NONE)) {
      return;
    }
    long usedBytes = store.snapshot().memoryBytes();
    int now = warningsAt(usedBytes);
    if (now > warned) {
      LOG.log(
          Level.WARNING,
          format(
              "the database takes %,d bytes of memory, more than %d %% of its limit of %,d; above the limit, commits are refused as FULL",
              usedBytes, WARNINGS[now - 1], limit.databaseBytes()));
      warned = now;
    } else {
      // A small decrease must not repeat the warning.
      warned = Math.min(warned, warningsAt(usedBytes + limit.databaseBytes() / 100 * CALM));
    }
  }

  /** Number of thresholds that the database has reached. */
  private int warningsAt(long usedBytes) {
    int apply = 0;
    for (int percent : WARNINGS) {
      apply += usedBytes >= limit.databaseBytes() / 100 * percent ? 1 : 0;
    }
    return apply;
  }
}
