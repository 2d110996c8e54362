package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;

/** Opens shipments to one transactor. Thread-safe. */
public interface TransportClient extends AutoCloseable {
  /**
   * Asks the transactor to take a cargo, and waits for its answer. Not for event loops.
   *
   * @throws ShipmentException if the transactor cannot be reached or refuses, saying why
   */
  Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException;

  /** Fails what is under way with {@code CANCELLED}, and closes all connections and threads. */
  @Override
  void close();
}
