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
   * Asks the transactor to take a cargo, and waits for its answer. Not for event loops.
   *
   * @throws ShipmentException if the transactor cannot be reached or refuses, saying why; nothing
   *     was applied
   */
  Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException;

  /**
   * As {@link #open(ShipmentHeader)}, for a cargo whose size is known. Where the transport can, a
   * shipment that finds no room waits for it, in FIFO order; elsewhere it is {@code BUSY} at once.
   *
   * @param creditBytes about how many bytes all its frames are charged ({@link
   *     io.drayage.frame.Credit}): the shipment reserves no more than this. No frame may be larger
   *     than {@link Shipment#maxFrameBytes}. 0 if it is unknown
   * @param patience how long to wait for room
   * @throws ShipmentException {@code BUSY} if there was none within that time, naming the limit
   */
  default Shipment open(ShipmentHeader header, long creditBytes, Duration patience)
      throws ShipmentException, InterruptedException {
    return open(header);
  }

  /**
   * Goes on with a shipment whose connections were lost: one attempt to reach the transactor, and
   * its answer. Whatever is left of the earlier connections is closed on both sides. Not for event
   * loops.
   *
   * @param header the same as in {@link #open}
   * @return takes the place of the one that failed, with the same id and futures of its own; {@link
   *     Shipment#received} tells what is left to send
   * @throws ShipmentException {@code PEER_GONE} or {@code PEER_SILENT} if the transactor cannot be
   *     reached: worth another attempt after a pause ({@link Backoff}), within the ticket's window.
   *     {@code EXPIRED} if the transactor does not know the shipment any more: if its seal was
   *     sent, the outcome is unknown. Any other fault is how the shipment ended, with the outcome
   *     that the transactor states
   */
  default Shipment resume(ResumeTicket ticket, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    throw new ShipmentException(Fault.REFUSED, "this transport cannot resume a shipment");
  }

  /**
   * Tells the transactor, if it can be reached, that a shipment whose connections were lost will
   * not be resumed, so that it does not keep it until it expires. Does not wait.
   */
  default void abandon(ResumeTicket ticket, ShipmentException cause) {}

  /**
   * Asks the transactor for something that concerns a transaction of several workers, and waits for
   * the answer. Not for event loops.
   *
   * @param patience how long to wait for it
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
   * How many bytes a second the link to the transactor carries, as far as that is known before
   * anything is sent; empty if nothing is. See {@link TransportOptions#linkTo}.
   */
  default OptionalLong linkBytesPerSecond() {
    return OptionalLong.empty();
  }

  /**
   * Fails what is under way with {@code CANCELLED}, and closes all connections and threads. Whether
   * a cargo takes effect whose seal was accepted, is unknown then.
   */
  @Override
  void close();
}
