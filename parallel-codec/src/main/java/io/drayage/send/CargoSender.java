package io.drayage.send;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import java.time.Duration;

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
   * Ships {@code cargo} and waits until it has taken effect. Any number of threads may call this. A
   * cargo that finds no room waits, in FIFO order.
   *
   * <p>There are three outcomes. If this returns, the cargo was applied. Otherwise the exception
   * says either {@linkplain ShipmentException.Outcome#NOT_APPLIED not applied} or {@linkplain
   * ShipmentException.Outcome#UNKNOWN unknown}. The outcome is unknown if the answer was lost: by
   * the connection, the deadline, the closing of a side, an interrupt, or a committer that failed
   * halfway. Then send the same transaction again, with the same id, until it is applied or
   * {@linkplain io.drayage.frame.Fault#isVerdict rejected}. The receiver applies it once: see
   * {@link io.drayage.receive.TransactionLedger}.
   *
   * @param options the time of the transactor's answer, the action on conflicts, and the time
   *     limits
   * @throws ShipmentException if the cargo was not committed, or the answer was lost; has the
   *     reason and the outcome. {@code BUSY} if there was no room in time, {@code CANCELLED} if the
   *     deadline is over. If the thread was interrupted after the whole cargo had been sent, then
   *     {@code CANCELLED} and unknown, with the thread's interrupt status set
   * @throws InterruptedException if the thread was interrupted before that: not applied
   * @throws IllegalArgumentException if a text is longer than {@link
   *     io.drayage.segment.SegmentPlanner#MAX_TEXT_BYTES} bytes, with its column and row: not
   *     applied
   */
  SendReport send(ChangeCargo cargo, SendOptions options)
      throws ShipmentException, InterruptedException;

  /**
   * Sends a request about a transaction of several workers.
   *
   * @throws ShipmentException see {@link io.drayage.transport.TransportClient#ask}
   */
  default TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    throw new ShipmentException(
            Fault.REFUSED, "this pipeline carries no transactions of several workers: use segments")
        .withOutcome(ShipmentException.Outcome.NOT_APPLIED);
  }

  /** The metrics of this sender; also after it was closed. */
  DrayageMetrics metrics();

  /**
   * Closes the connections and threads of this sender. Open shipments end with {@code CANCELLED}.
   * The outcome of a shipment whose whole cargo was sent is unknown.
   */
  @Override
  void close();
}
