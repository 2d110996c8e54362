package io.drayage.store.column;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** Why a cargo cannot be committed. */
public final class Rejection {
  private Rejection() {}

  public static ShipmentException of(String reason) {
    return new ShipmentException(Fault.REJECTED, reason);
  }
}
