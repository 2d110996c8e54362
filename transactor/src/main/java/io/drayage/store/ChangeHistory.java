package io.drayage.store;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What the last commits touched, so that a cargo made on an older snapshot can be told from one
 * that would undo somebody else's work. Bounded in bytes: the oldest commits are forgotten first,
 * and a cargo made before them is refused. Not thread-safe.
 */
final class ChangeHistory {
  private final long maxBytes;
  private final Deque<CommitFootprint> commits = new ArrayDeque<>();
  private long bytes;

  /** The oldest snapshot since which everything is known. */
  private long oldestBase;

  private long newest;

  ChangeHistory(long baseTimestamp, long maxBytes) {
    this.maxBytes = maxBytes;
    this.oldestBase = baseTimestamp;
    this.newest = baseTimestamp;
  }

  /** The oldest snapshot on which a cargo may have been made. */
  long oldestBase() {
    return oldestBase;
  }

  /** The commits after the snapshot {@code base}, oldest first. */
  List<CommitFootprint> since(long base) throws ShipmentException {
    if (base > newest) {
      throw Rejection.of(
          "base snapshot %d is not there yet: the current snapshot is %d".formatted(base, newest));
    }
    if (base < oldestBase) {
      throw new ShipmentException(
          Fault.CONFLICT,
          ("base snapshot %d is too old: what others changed is known since snapshot %d only (%,d of"
                  + " %,d bytes of history); the current snapshot is %d, make the transaction anew on it")
              .formatted(base, oldestBase, bytes, maxBytes, newest));
    }
    List<CommitFootprint> later = new ArrayList<>();
    for (CommitFootprint commit : commits) {
      if (commit.timestamp() > base) {
        later.add(commit);
      }
    }
    return later;
  }

  /** Adds the commit that follows the newest. */
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
