package io.drayage.memory;

import io.drayage.frame.ShipmentException;

/** Charges memory of a shipment before it is allocated. */
@FunctionalInterface
public interface MemoryCharge {
  /**
   * Charges bytes that are about to be allocated, until the end of the shipment.
   *
   * @throws ShipmentException if there is no quota for the bytes
   */
  void charge(long bytes) throws ShipmentException;
}
