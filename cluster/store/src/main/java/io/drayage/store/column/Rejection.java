package io.drayage.store.column;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** The failure of a cargo that cannot be committed. */
public final class Rejection {
  private Rejection() {}

  /**
   * Returns the answer to a cargo that cannot be committed.
   *
   * @param reason names the error: the table, the column, the row
   */
  public static ShipmentException of(String reason) {
    return new ShipmentException(Fault.REJECTED, reason);
  }
}
