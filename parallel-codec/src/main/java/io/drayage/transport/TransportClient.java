package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import java.time.Duration;
import java.util.OptionalLong;

/** Opens shipments to one transactor. Thread-safe. */
public interface TransportClient extends AutoCloseable {
  /**
   * Asks the transactor to accept a cargo, and waits for the answer. Not for event loops.
   *
   * @throws ShipmentException if the transactor cannot be reached or refuses, with the reason;
   *     nothing was applied
   */
  Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException;

  /**
   * Opens a shipment for a cargo whose size is known. If the transport can, a shipment that finds
   * no room waits for it, in FIFO order. Otherwise it is {@code BUSY} immediately.
   *
   * @param creditBytes about the sum of the charges of all its frames in bytes ({@link
   *     io.drayage.frame.Credit}). The shipment reserves no more than this. No frame may be larger
   *     than {@link Shipment#maxFrameBytes}. 0 if unknown. Of a {@linkplain
   *     io.drayage.frame.OpenRequest#isOfSmallCargo small cargo}, the request may go together with
   *     all frames when the seal is offered: refusals then end the shipment, not this call
   * @param patience the longest wait for room
   * @throws ShipmentException {@code BUSY} if there was no room within that time, with the limit
   */
  default Shipment open(ShipmentHeader header, long creditBytes, Duration patience)
      throws ShipmentException, InterruptedException {
    return open(header);
  }

  /**
   * Resumes a shipment whose connections were lost: one attempt to reach the transactor, and its
   * answer. Both sides close the remaining earlier connections. Not for event loops.
   *
   * @param header the same as in {@link #open}
   * @return replaces the failed shipment, with the same id and new futures; {@link
   *     Shipment#received} states which segments need not be sent
   * @throws ShipmentException {@code PEER_GONE} or {@code PEER_SILENT} if the transactor cannot be
   *     reached: worth a retry after a pause ({@link Backoff}), within the ticket's window. {@code
   *     EXPIRED} if the transactor does not know the shipment any more: if its seal was sent, the
   *     outcome is unknown. Any other fault is the end of the shipment, with the outcome that the
   *     transactor states
   */
  default Shipment resume(ResumeTicket ticket, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    throw new ShipmentException(Fault.REFUSED, "this transport cannot resume a shipment");
  }

  /**
   * Notifies the transactor, if it can be reached, that a shipment whose connections were lost will
   * not be resumed, so that the transactor need not keep it until it expires. Does not wait.
   */
  default void abandon(ResumeTicket ticket, ShipmentException cause) {}

  /**
   * Sends the transactor a request about a transaction of several workers, and waits for the
   * answer. Not for event loops.
   *
   * @param patience the longest wait for the answer
   * @throws ShipmentException the transactor's, with its outcome; {@code REFUSED} if this transport
   *     carries no such requests; if the connection or the answer is lost, the outcome is unknown
   */
  default TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    throw new ShipmentException(
            Fault.REFUSED, "this transport carries no transactions of several workers: use netty")
        .withOutcome(ShipmentException.Outcome.NOT_APPLIED);
  }

  /**
   * The rate of the link to the transactor in bytes a second, if it is known before anything is
   * sent; otherwise empty. See {@link TransportOptions#linkTo}.
   */
  default OptionalLong linkBytesPerSecond() {
    return OptionalLong.empty();
  }

  /**
   * Fails all open shipments with {@code CANCELLED}, and closes all connections and threads. The
   * outcome of a cargo whose seal was accepted is then unknown.
   */
  @Override
  void close();
}
