package io.drayage.isolation;

import io.drayage.frame.ShipmentException;
import java.io.IOException;

/** The outcome of a transaction, as far as its session knows. */
public enum TransactionOutcome {
  COMMITTED,
  /** Others changed the same data since its base. */
  CONFLICT,
  /** The transaction's base is older than the history of changes. */
  TOO_OLD,
  /** The database has no room for it. */
  FULL,
  /** The transaction has not taken effect and never will, for another reason. */
  REJECTED,
  /** The transaction may have taken effect, or may still do so. */
  UNKNOWN;

  static TransactionOutcome of(IOException failure) {
    if (!(failure instanceof ShipmentException refused)) {
      return UNKNOWN;
    }
    return switch (refused.fault()) {
      case CONFLICT ->
          String.valueOf(refused.getMessage()).contains("is too old") ? TOO_OLD : CONFLICT;
      case REJECTED -> REJECTED;
      case FULL -> FULL;
      default -> refused.outcome() == ShipmentException.Outcome.NOT_APPLIED ? REJECTED : UNKNOWN;
    };
  }
}
