package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Counted;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.MemoryLimit;
import org.jspecify.annotations.Nullable;

/** How a transactor divides its heap. */
final class HeapShares {
  /** Of the heap, for the rows that recent commits touched. */
  private static final int HISTORY_SHARE = 16;

  /** Of the heap, for transaction ids, frames, collections and all else. */
  private static final int RESERVE_SHARE = 16;

  private HeapShares() {}

  /** What the rest leaves: it is for the database and for the copies that commits make. */
  static MemoryLimit database(
      @Nullable ByteSize maxDatabase, ReceiverLimits limits, OptionChecks checks) {
    long heap = Runtime.getRuntime().maxMemory();
    long left = heap - limits.maxReceivingBytes() - historyBytes() - heap / RESERVE_SHARE;
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
            heap / RESERVE_SHARE));
    return new MemoryLimit(maxDatabase.bytes(), left);
  }

  /** For the rows that recent commits touched. */
  static long historyBytes() {
    return Runtime.getRuntime().maxMemory() / HISTORY_SHARE;
  }
}
