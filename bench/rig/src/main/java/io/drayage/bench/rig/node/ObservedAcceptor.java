package io.drayage.bench.rig.node;

import io.drayage.bench.child.ProcessMeter;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;

/**
 * Tells a {@link ProcessMeter} when a shipment begins and when it is received, and passes
 * everything on. The answer goes out before the meter hears of it.
 */
record ObservedAcceptor(ShipmentAcceptor acceptor, ProcessMeter meter) implements ShipmentAcceptor {
  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    meter.markShipmentBegin();
    return acceptor.accept(header, new ObservedReplies(replies, meter));
  }

  private record ObservedReplies(ShipmentReplies replies, ProcessMeter meter)
      implements ShipmentReplies {
    @Override
    public long shipmentId() {
      return replies.shipmentId();
    }

    @Override
    public void held(Seal seal) {
      replies.held(seal);
      meter.markShipmentReceived();
    }

    @Override
    public void committed(long snapshotTimestamp) {
      replies.committed(snapshotTimestamp);
    }

    @Override
    public void failed(ShipmentException cause) {
      replies.failed(cause);
    }
  }
}
