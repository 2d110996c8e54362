package io.drayage.pipeline;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;

/** The database behind a transactor: makes a cargo take effect. */
@FunctionalInterface
public interface CargoCommitter {
  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole. The arrays of the cargo belong to the committer from now on.
   *
   * @return the timestamp of the new snapshot
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why
   */
  long commit(ChangeCargo cargo) throws ShipmentException;
}
