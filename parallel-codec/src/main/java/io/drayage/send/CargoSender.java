package io.drayage.send;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;

/** Ships cargoes to one transactor. Thread-safe. */
public interface CargoSender extends AutoCloseable {
  /** Ships {@code cargo} with {@link SendOptions#DEFAULT}. */
  default SendReport send(ChangeCargo cargo) throws ShipmentException, InterruptedException {
    return send(cargo, SendOptions.DEFAULT);
  }

  /** Ships {@code cargo} within {@link SendOptions#DEFAULT_DEADLINE}. */
  default SendReport send(ChangeCargo cargo, CommitOptions options)
      throws ShipmentException, InterruptedException {
    return send(cargo, SendOptions.of(options));
  }

  /**
   * Ships {@code cargo} and waits until it has taken effect. Any number of threads may call it:
   * what there is no room for waits, in FIFO order.
   *
   * @param options when the transactor is to answer, what to do about conflicts, and how long all
   *     of this may take
   * @throws ShipmentException if it has not taken effect, naming what was wrong. {@code BUSY} if
   *     there was no room in time. After a {@code PEER_GONE} or {@code PEER_SILENT}, and after a
   *     {@code CANCELLED} because the deadline is over, it may have taken effect all the same: the
   *     answer was lost, or did not come in time
   */
  SendReport send(ChangeCargo cargo, SendOptions options)
      throws ShipmentException, InterruptedException;

  /** What this sender counts; also after it was closed. */
  DrayageMetrics metrics();

  /** Closes the connections and threads of this sender. */
  @Override
  void close();
}
