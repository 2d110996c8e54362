package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import java.util.concurrent.CompletableFuture;

/** A {@link Committer} that needs nothing but the cargo. */
@FunctionalInterface
public non-sealed interface CargoCommitter extends Committer {
  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole; the next call need not wait for the answer of this one.
   *
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants it
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why
   */
  CompletableFuture<Long> commit(ReceivedCargo cargo) throws ShipmentException;
}
