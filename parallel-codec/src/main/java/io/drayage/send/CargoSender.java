package io.drayage.send;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;

/** Ships cargoes to one transactor. Thread-safe. */
public interface CargoSender extends AutoCloseable {
  /** Ships {@code cargo} with {@link CommitOptions#DEFAULT}. */
  default SendReport send(ChangeCargo cargo) throws ShipmentException, InterruptedException {
    return send(cargo, CommitOptions.DEFAULT);
  }

  /**
   * Ships {@code cargo} and waits until it has taken effect.
   *
   * @param options when the transactor is to answer, and what to do about conflicts
   * @throws ShipmentException if it has not, naming what was wrong. After a {@code PEER_GONE} or
   *     {@code PEER_SILENT} it may have taken effect all the same: the answer was lost
   */
  SendReport send(ChangeCargo cargo, CommitOptions options)
      throws ShipmentException, InterruptedException;

  /** What this sender counts; also after it was closed. */
  DrayageMetrics metrics();

  /** Closes the connections and threads of this sender. */
  @Override
  void close();
}
