package io.drayage.receive;

import java.io.IOException;

/** Asked before memory is allocated for a shipment. */
@FunctionalInterface
public interface MemoryCharge {
  /**
   * Charges bytes that are about to be allocated; they are released when the shipment is over.
   *
   * @throws IOException if there is no quota for them
   */
  void charge(long bytes) throws IOException;
}
