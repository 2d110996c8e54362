package io.drayage.transactor;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a transactor has done since it was started, in all of its terms. Thread-safe; the figures
 * only increase.
 */
public final class TransactorCounters {
  private final LongAdder undoneCommits = new LongAdder();
  private final LongAdder fullSnapshots = new LongAdder();
  private final LongAdder deletedSnapshots = new LongAdder();
  private final LongAdder deletedLeftovers = new LongAdder();
  private final LongAdder deletedUploads = new LongAdder();

  TransactorCounters() {}

  /** Commits that were applied and then undone, because they could not be stored. */
  public long undoneCommits() {
    return undoneCommits.sum();
  }

  /** Full snapshots that were written. */
  public long fullSnapshots() {
    return fullSnapshots.sum();
  }

  /**
   * Snapshots, full ones and entries of the log, that were deleted because newer ones replace them.
   */
  public long deletedSnapshots() {
    return deletedSnapshots.sum();
  }

  /** Objects that were deleted because no entry names them: remains of commits that failed. */
  public long deletedLeftovers() {
    return deletedLeftovers.sum();
  }

  /** Uploads that were deleted because nobody finished them. */
  public long deletedUploads() {
    return deletedUploads.sum();
  }

  void addUndone(int commits) {
    undoneCommits.add(commits);
  }

  void addFullSnapshot() {
    fullSnapshots.increment();
  }

  void addDeleted(int snapshots, int leftovers, int uploads) {
    deletedSnapshots.add(snapshots);
    deletedLeftovers.add(leftovers);
    deletedUploads.add(uploads);
  }
}
