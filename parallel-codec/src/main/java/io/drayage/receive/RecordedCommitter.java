package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Committer} that commits what a recorder has kept of a cargo.
 *
 * @param <R> what it was recorded in
 */
@FunctionalInterface
public non-sealed interface RecordedCommitter<R extends ShipmentRecording> extends Committer {
  /**
   * Commits a verified cargo, all of it or nothing. Called by one thread at a time, in the order in
   * which the cargoes arrived whole; the next call need not wait for the answer of this one.
   *
   * <p>It applies a transaction once, however often it comes: the receiver keeps no ledger for it.
   *
   * @param cargo its arrays and its recording belong to the committer
   * @return the timestamp of the new snapshot, once the commit is as durable as the worker wants
   *     it; neither it nor the future is null
   * @throws ShipmentException as {@link CargoCommitter#commit}
   */
  CompletableFuture<Long> commit(RecordedCargo<R> cargo) throws ShipmentException;
}
