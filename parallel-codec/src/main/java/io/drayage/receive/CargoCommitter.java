package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import java.util.concurrent.CompletableFuture;

/**
 * The database behind a transactor: makes a cargo take effect.
 *
 * @param <R> what the frames of a cargo are recorded in; any, of a committer that needs nothing but
 *     the cargo
 */
@FunctionalInterface
public interface CargoCommitter<R extends ShipmentRecording> {
  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole; the next call need not wait for the answer of this one.
   *
   * <p>A committer of {@linkplain CargoReceiver#recording recordings} applies a transaction once,
   * however often it comes. Any other need not ask whether it has committed the transaction before:
   * a {@link CargoReceiver} keeps a {@link TransactionLedger} before it. That forgets with the
   * process, so a committer that outlives it stores the transaction's id together with its changes.
   *
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants
   *     it; neither it nor the future is null
   * @throws ShipmentException {@code REJECTED} if the cargo cannot be applied, saying why: nothing
   *     has been applied, unless its {@linkplain ShipmentException#outcome outcome} says that this
   *     is unknown. So is the outcome for the worker after anything else that is thrown, here or by
   *     the future, which is logged
   */
  CompletableFuture<Long> commit(ReceivedCargo<R> cargo) throws ShipmentException;

  /**
   * Refuses a cargo of segments of which its manifest shows already that it will not fit. Not asked
   * while another shipment of the same transaction is under way. Called by codec threads: does not
   * wait for a commit.
   *
   * @throws ShipmentException {@code FULL}, with the figures
   */
  default void requireRoom(Manifest manifest) throws ShipmentException {}
}
