package io.drayage.store.column;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** Why a cargo cannot be committed. */
public final class Rejection {
  private Rejection() {}

  /**
   * The answer to a cargo that cannot be committed.
   *
   * @param reason names what does not fit: the table, the column, the row
   */
  public static ShipmentException of(String reason) {
    return new ShipmentException(Fault.REJECTED, reason);
  }
}
