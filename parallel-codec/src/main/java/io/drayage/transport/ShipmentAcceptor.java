package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Decides, on the transactor's side, which shipments are taken. Called on event loops. */
@FunctionalInterface
public interface ShipmentAcceptor {
  /**
   * Takes a shipment or refuses it. Must not block.
   *
   * @param header what the worker announced, unverified beyond its form
   * @param replies how to answer it, also later and from other threads
   * @return who gets its frames
   * @throws ShipmentException to refuse it, saying why
   */
  ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies) throws ShipmentException;

  /**
   * Answers what the coordinator of a transaction of several workers asks. Must not block.
   *
   * @return completes with the answer, or with a {@link ShipmentException}
   */
  default CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    return CompletableFuture.failedFuture(
        new ShipmentException(
            Fault.REFUSED, "this receiver commits no transactions of several workers"));
  }

  /** One that takes shipments as the other does, and answers what is asked as this one. */
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
   * As {@link #accept(ShipmentHeader, ShipmentReplies)}.
   *
   * @param whenFailed receives the reason if it is refused, or fails later
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
