package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import java.util.concurrent.CompletableFuture;

/**
 * The database behind a transactor, which commits cargoes.
 *
 * @param <R> the recording of a cargo's frames; any type, for a committer that needs only the cargo
 */
@FunctionalInterface
public interface CargoCommitter<R extends ShipmentRecording> {
  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole. The next call need not wait for the answer of this one.
   *
   * <p>A committer of {@linkplain CargoReceiver#recording recordings} applies a transaction once,
   * however often it arrives. Any other committer need not check whether it has committed the
   * transaction before: a {@link CargoReceiver} puts a {@link TransactionLedger} before it. The
   * ledger ends with the process, so a committer with durable state stores the transaction's id
   * together with its changes.
   *
   * @return the timestamp of the new snapshot, when the commit is as durable as the worker wants
   *     it; neither the timestamp nor the future is null
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, with the reason:
   *     nothing has been applied, unless its {@linkplain ShipmentException#outcome outcome} says
   *     that this is unknown. After any other exception, here or of the future, the outcome is
   *     unknown, and the exception is logged
   */
  CompletableFuture<Long> commit(ReceivedCargo<R> cargo) throws ShipmentException;

  /**
   * Refuses a cargo of segments whose manifest already shows that it will not fit. Not called while
   * another shipment of the same transaction is open. Called by codec threads: does not wait for a
   * commit.
   *
   * @throws ShipmentException {@code FULL}, with the figures
   */
  default void requireRoom(Manifest manifest) throws ShipmentException {}
}
