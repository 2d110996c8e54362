package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.cli.options.OptionChecks;
import io.drayage.database.TransactionLimits;
import io.drayage.internal.Counted;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.MemoryLimit;
import org.jspecify.annotations.Nullable;

/** The division of a transactor's heap. */
final class HeapShares {
  /** The part of the heap for the rows that recent commits changed: one in this many. */
  private static final int HISTORY_SHARE = 16;

  /**
   * The part of the heap for transaction ids, frames, collections and the rest: one in this many.
   * It also holds the fragments of open transactions, unless an option allows them more.
   */
  private static final int RESERVE_SHARE = 16;

  private HeapShares() {}

  /** Returns the rest of the heap, for the database and for the copies that commits make. */
  static MemoryLimit database(
      @Nullable ByteSize maxDatabase,
      long fragmentBytes,
      ReceiverLimits limits,
      OptionChecks checks) {
    long heap = Runtime.getRuntime().maxMemory();
    long reserve = Math.max(heap / RESERVE_SHARE, fragmentBytes);
    long left = heap - limits.maxReceivingBytes() - historyBytes() - reserve;
    checks.require(
        left > 0,
        format(
            "--max-fragments %s leaves no memory for the database: the heap has %s, with %,d for cargoes and %,d for history",
            Counted.of(fragmentBytes, "byte"),
            Counted.of(heap, "byte"),
            limits.maxReceivingBytes(),
            historyBytes()));
    if (maxDatabase == null) {
      return new MemoryLimit(left / 3 * 2, left);
    }
    checks.require(
        maxDatabase.bytes() <= left,
        format(
            "--max-database %s is more than the %s that a heap of %,d leaves besides cargoes (%,d), history (%,d) and a reserve (%,d)",
            maxDatabase,
            Counted.of(left, "byte"),
            heap,
            limits.maxReceivingBytes(),
            historyBytes(),
            reserve));
    return new MemoryLimit(maxDatabase.bytes(), left);
  }

  /**
   * Returns the limits of transactions of several workers.
   *
   * @param maxFragments bytes of memory; null for the default
   */
  static TransactionLimits transactions(@Nullable ByteSize maxFragments) {
    TransactionLimits limits = TransactionLimits.ofHeap();
    return maxFragments == null ? limits : limits.withCacheBytes(maxFragments.bytes());
  }

  static long historyBytes() {
    return Runtime.getRuntime().maxMemory() / HISTORY_SHARE;
  }
}
