package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.CargoReceiver;
import io.drayage.snapshot.CrashPoint;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes shipments from the transport, which listens throughout the node's life, to the receiver of
 * the current term as primary. Refuses them outside of a term. Thread-safe.
 */
final class TermShipments implements ShipmentAcceptor {
  private final Supplier<String> whyNot;
  private volatile @Nullable CargoReceiver receiver;

  /**
   * @param whyNot describes, in a sentence, who is primary instead
   */
  TermShipments(Supplier<String> whyNot) {
    this.whyNot = whyNot;
  }

  void begin(CargoReceiver termReceiver) {
    receiver = termReceiver;
  }

  /** Accepts no more shipments; those in progress continue. */
  void refuse() {
    receiver = null;
  }

  /** The answer outside of a term. The shipment may be sent to the next primary. */
  ShipmentException refusal() {
    return new ShipmentException(
        Fault.CANCELLED, "this transactor is not the primary now: " + whyNot.get());
  }

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    CargoReceiver current = receiver;
    if (current == null) {
      throw refusal();
    }
    ShipmentHandler handler = current.accept(header, replies);
    CrashPoint.REQUESTED.reach();
    return handler;
  }
}
