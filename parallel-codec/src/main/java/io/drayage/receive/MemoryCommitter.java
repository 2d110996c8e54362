package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import java.util.concurrent.CompletableFuture;

/** A database that commits a cargo at once, and needs nothing else of its shipment. */
public interface MemoryCommitter extends CargoCommitter<ShipmentRecording> {
  /**
   * Commits a cargo like {@link CargoCommitter#commit}. Called once for each transaction.
   *
   * @param cargo its arrays belong to the committer from now on
   * @return the timestamp of the new snapshot
   */
  long commit(ChangeCargo cargo) throws ShipmentException;

  @Override
  default CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo)
      throws ShipmentException {
    return CompletableFuture.completedFuture(commit(cargo.cargo()));
  }
}
