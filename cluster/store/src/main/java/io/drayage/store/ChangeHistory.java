package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The rows that recent commits touched, for the detection of conflicts with cargoes that were made
 * on an older snapshot. Bounded in bytes: the oldest commits are forgotten first, and a cargo made
 * before them is refused. Not thread-safe.
 */
final class ChangeHistory {
  private final long maxBytes;
  private final Deque<CommitFootprint> commits = new ArrayDeque<>();
  private long bytes;

  /** The snapshot since which all changes are known. */
  private long oldestBase;

  private long newest;

  ChangeHistory(long baseTimestamp, long maxBytes) {
    this.maxBytes = maxBytes;
    this.oldestBase = baseTimestamp;
    this.newest = baseTimestamp;
  }

  /** The oldest base snapshot that a cargo may have. */
  long oldestBase() {
    return oldestBase;
  }

  /** The commits after the snapshot {@code base}, oldest first. */
  List<CommitFootprint> since(long base) throws ShipmentException {
    if (base > newest) {
      throw Rejection.of(
          format("base snapshot %d does not exist yet: the current snapshot is %d", base, newest));
    }
    if (base < oldestBase) {
      throw new ShipmentException(
          Fault.CONFLICT,
          format(
              "base snapshot %d is too old: changes are known only since snapshot %d (%,d of"
                  + " %,d bytes of history); the current snapshot is %d, start a new transaction on it",
              base, oldestBase, bytes, maxBytes, newest));
    }
    List<CommitFootprint> later = new ArrayList<>();
    Iterator<CommitFootprint> newestFirst = commits.descendingIterator();
    while (newestFirst.hasNext()) {
      CommitFootprint commit = newestFirst.next();
      if (commit.timestamp() <= base) {
        break;
      }
      later.add(commit);
    }
    Collections.reverse(later);
    return later;
  }

  /** Adds the commit that follows the newest one. */
  void add(CommitFootprint commit) {
    commits.add(commit);
    bytes += commit.bytes();
    newest = commit.timestamp();
    while (bytes > maxBytes && !commits.isEmpty()) {
      CommitFootprint oldest = commits.remove();
      bytes -= oldest.bytes();
      oldestBase = oldest.timestamp();
    }
  }

  /** Forgets the commits after a snapshot. */
  void truncateTo(long timestamp) {
    while (!commits.isEmpty() && commits.getLast().timestamp() > timestamp) {
      bytes -= commits.removeLast().bytes();
    }
    oldestBase = Math.min(oldestBase, timestamp);
    newest = timestamp;
  }
}
