package io.drayage.snapshot.transaction;

import java.util.OptionalLong;
import java.util.UUID;

/** What the log says of how transactions ended. Thread-safe. */
@FunctionalInterface
public interface TransactionEnds {
  /**
   * The timestamp of the entry that ended a transaction, negative if without effect; empty if no
   * entry has, or if it is not known any more.
   */
  OptionalLong endOf(UUID transaction);

  /**
   * The ends of all transactions with this base snapshot or a later one are known: of one with an
   * earlier base, it is not known whether it has ended.
   */
  default long knownSince() {
    return Long.MIN_VALUE;
  }
}
