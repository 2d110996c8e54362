package io.drayage.transactor;

import io.drayage.coordination.PrimaryInfo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.CargoReceiver;
import io.drayage.snapshot.CrashPoint;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import org.jspecify.annotations.Nullable;

/**
 * Passes shipments from the transport, which listens throughout the node's life, to the receiver of
 * the current term as primary. Refuses them outside of a term. Thread-safe.
 */
final class TermShipments implements ShipmentAcceptor {
  private volatile @Nullable CargoReceiver receiver;

  /** The node elected last, as far as this one was told: event loops must not ask. */
  private volatile @Nullable PrimaryInfo elected;

  /** Names the node that shipments may be sent to. */
  void elected(PrimaryInfo primary) {
    elected = primary;
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
    PrimaryInfo primary = elected;
    String who =
        primary == null
            ? "none is known"
            : "%s at %s is".formatted(primary.node().name(), primary.node().address());
    return new ShipmentException(Fault.CANCELLED, "this transactor is not the primary now: " + who);
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
