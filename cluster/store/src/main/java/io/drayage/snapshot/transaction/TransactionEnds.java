package io.drayage.snapshot.transaction;

import java.util.OptionalLong;
import java.util.UUID;

/** The ends of transactions in the log. Thread-safe. */
public interface TransactionEnds {
  /**
   * The timestamp of the entry that ended a transaction; negative if the end was without effect.
   * Empty if no entry has ended it, or if that is unknown.
   */
  OptionalLong endOf(UUID transaction);

  /**
   * The oldest base snapshot from which on all ends are known. It is unknown whether a transaction
   * with an earlier base has ended.
   */
  default long knownSince() {
    return Long.MIN_VALUE;
  }
}
