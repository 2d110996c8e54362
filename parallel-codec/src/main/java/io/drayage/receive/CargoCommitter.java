package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import java.util.concurrent.CompletableFuture;

/** The database behind a transactor: makes a cargo take effect. */
@FunctionalInterface
public interface CargoCommitter {
  /**
   * Refuses a cargo of segments of which its manifest shows already that it will not fit. Not asked
   * while another shipment of the same transaction is under way. Called by codec threads.
   *
   * @throws ShipmentException {@code FULL}, with the figures
   */
  default void requireRoom(Manifest manifest) throws ShipmentException {}

  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole; the next call need not wait for the answer of this one.
   *
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants it
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why
   */
  CompletableFuture<Long> commit(ReceivedCargo cargo) throws ShipmentException;
}
