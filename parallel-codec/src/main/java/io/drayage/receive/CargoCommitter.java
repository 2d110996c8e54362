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
   * <p>It need not ask whether it has committed the transaction before: a {@link CargoReceiver}
   * keeps a {@link TransactionLedger} before it. That forgets with the process, so a committer that
   * outlives it stores the transaction's id together with its changes.
   *
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants
   *     it; neither it nor the future is null
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why: nothing
   *     has been applied, unless its {@linkplain ShipmentException#outcome outcome} says that this
   *     is unknown. So is the outcome for the worker after anything else that is thrown, here or by
   *     the future, which is logged
   */
  CompletableFuture<Long> commit(ReceivedCargo cargo) throws ShipmentException;
}
