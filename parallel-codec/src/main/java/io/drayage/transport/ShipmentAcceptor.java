package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Accepts or refuses shipments, on the transactor's side. Called on event loops. */
@FunctionalInterface
public interface ShipmentAcceptor {
  /**
   * Accepts a shipment or refuses it. Must not block.
   *
   * @param header the worker's announcement; only its form is verified
   * @param replies answers the shipment, also later and from other threads
   * @return the receiver of its frames
   * @throws ShipmentException to refuse the shipment, with the reason
   */
  ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies) throws ShipmentException;

  /**
   * Answers a request of the coordinator of a transaction of several workers. Must not block.
   *
   * @return completes with the answer, or with a {@link ShipmentException}
   */
  default CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    return CompletableFuture.failedFuture(
        new ShipmentException(
            Fault.REFUSED, "this receiver commits no transactions of several workers"));
  }

  /** Returns an acceptor that accepts shipments by {@code other}, and answers requests by this. */
  default ShipmentAcceptor taking(ShipmentAcceptor other) {
    ShipmentAcceptor asked = this;
    return new ShipmentAcceptor() {
      @Override
      public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
          throws ShipmentException {
        return other.accept(header, replies);
      }

      @Override
      public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
        return asked.ask(request);
      }
    };
  }

  /**
   * Does the same as {@link #accept(ShipmentHeader, ShipmentReplies)}, with a callback.
   *
   * @param whenFailed receives the reason if the shipment is refused, or fails later
   */
  default ShipmentHandler accept(
      ShipmentHeader header, ShipmentReplies replies, Consumer<ShipmentException> whenFailed)
      throws ShipmentException {
    try {
      return accept(header, new ObservedReplies(replies, () -> {}, whenFailed));
    } catch (ShipmentException e) {
      whenFailed.accept(e);
      throw e;
    }
  }
}
