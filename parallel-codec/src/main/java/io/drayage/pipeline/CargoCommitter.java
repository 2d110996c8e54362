package io.drayage.pipeline;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.stage.StagedCargo;
import java.util.concurrent.CompletableFuture;

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
   * Commits a verified cargo whose frames were recorded. Called like {@link #commit(ChangeCargo)};
   * the worker is told when the answer completes, and the commits behind this one need not wait for
   * that.
   *
   * @param recording belongs to the committer from now on, which discards it if there is no commit
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants it
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why
   */
  default CompletableFuture<Long> commit(ChangeCargo cargo, ShipmentRecording recording)
      throws ShipmentException {
    recording.discard();
    return CompletableFuture.completedFuture(commit(cargo));
  }

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
