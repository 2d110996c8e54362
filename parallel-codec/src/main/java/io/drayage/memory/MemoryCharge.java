package io.drayage.memory;

import io.drayage.frame.ShipmentException;

/** Asked before memory is allocated for a shipment. */
@FunctionalInterface
public interface MemoryCharge {
  /**
   * Charges bytes that are about to be allocated; they are released when the shipment is over.
   *
   * @throws ShipmentException if there is no quota for them
   */
  void charge(long bytes) throws ShipmentException;
}
