package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** Why a cargo cannot be committed. */
final class Rejection {
  private Rejection() {}

  static ShipmentException of(String reason) {
    return new ShipmentException(Fault.REJECTED, reason);
  }
}
