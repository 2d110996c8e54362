package io.drayage.pipeline;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.stage.StagedCargo;

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

  /**
   * Commits a verified cargo that is too large for memory, as {@link #commit}. If it has a file,
   * that belongs to the committer once this returns; if this fails, the file is deleted.
   *
   * @return the timestamp of the new snapshot
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why
   */
  default long commitStaged(StagedCargo cargo) throws ShipmentException {
    throw new ShipmentException(
        Fault.REJECTED,
        "this transactor applies cargoes in memory only, not one of %,d staged bytes"
            .formatted(cargo.manifest().rawBytes()));
  }
}
