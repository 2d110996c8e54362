package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One cargo in transit, on the worker's side. Frames are offered by any thread; the last one is the
 * seal. If the shipment fails, both futures complete with the same {@link ShipmentException}.
 */
public interface Shipment extends FrameSink, AutoCloseable {
  /** The number that the transactor gave the shipment, to be written into every frame. */
  long id();

  /**
   * What {@link TransportClient#resume} needs if this shipment fails with {@code PEER_GONE} or
   * {@code PEER_SILENT}; empty if it cannot be resumed. May be asked at any time, also after the
   * failure. After any other fault, the shipment is over for good.
   */
  default Optional<ResumeTicket> ticket() {
    return Optional.empty();
  }

  /** Completes when the transactor holds the whole cargo, decoded and verified. */
  CompletableFuture<Seal> held();

  /** Completes with the new snapshot's timestamp when the cargo has taken effect. */
  CompletableFuture<Long> committed();

  /** Gives the shipment up and tells the transactor why. Without effect on one that is over. */
  void cancel(ShipmentException cause);

  /** Cancels the shipment unless it is over, and gives its connection back. */
  @Override
  void close();
}
