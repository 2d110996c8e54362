package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.cli.options.OptionChecks;
import io.drayage.database.TransactionLimits;
import io.drayage.internal.Counted;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.MemoryLimit;
import org.jspecify.annotations.Nullable;

/** How a transactor divides its heap. */
final class HeapShares {
  /** Of the heap, for the rows that recent commits touched. */
  private static final int HISTORY_SHARE = 16;

  /**
   * Of the heap, for transaction ids, frames, collections and all else: also for fragments of open
   * transactions, unless those may take more.
   */
  private static final int RESERVE_SHARE = 16;

  private HeapShares() {}

  /** What the rest leaves: it is for the database and for the copies that commits make. */
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
            "--max-fragments %s leaves nothing for the database of a heap of %,d, besides cargoes (%,d) and history (%,d)",
            Counted.of(fragmentBytes, "byte"), heap, limits.maxReceivingBytes(), historyBytes()));
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
   * What transactions of several workers may take.
   *
   * @param maxFragments of memory; null: the default
   */
  static TransactionLimits transactions(@Nullable ByteSize maxFragments) {
    TransactionLimits limits = TransactionLimits.ofHeap();
    return maxFragments == null ? limits : limits.withCacheBytes(maxFragments.bytes());
  }

  /** For the rows that recent commits touched. */
  static long historyBytes() {
    return Runtime.getRuntime().maxMemory() / HISTORY_SHARE;
  }
}
