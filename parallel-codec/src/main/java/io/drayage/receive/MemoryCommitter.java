package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.concurrent.CompletableFuture;

/** A database that commits cargoes in memory at once, and needs no recording of them. */
public interface MemoryCommitter extends CargoCommitter {
  /**
   * As {@link CargoCommitter#commit}: called once for each transaction.
   *
   * @param cargo its arrays belong to the committer from now on
   * @return the timestamp of the new snapshot
   */
  long commit(ChangeCargo cargo) throws ShipmentException;

  @Override
  default CompletableFuture<Long> commit(ReceivedCargo cargo) throws ShipmentException {
    if (cargo instanceof ReceivedCargo.Staged staged) {
      throw new ShipmentException(
          Fault.REJECTED,
          format(
              "this transactor applies cargoes in memory only, not one of %,d staged bytes",
              staged.manifest().rawBytes()));
    }
    return CompletableFuture.completedFuture(commit(((ReceivedCargo.InMemory) cargo).cargo()));
  }
}
