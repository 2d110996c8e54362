package io.drayage.pipeline;

import io.drayage.frame.ShipmentException;

/** Asked before memory is allocated for a cargo. */
@FunctionalInterface
public interface CargoAdmission {
  /**
   * Takes memory for one cargo; given back when its shipment is over.
   *
   * @param rawBytes checked against the limit of a single cargo
   * @throws ShipmentException {@code REFUSED} if the receiver has no room for it now
   */
  void admit(long rawBytes) throws ShipmentException;
}
