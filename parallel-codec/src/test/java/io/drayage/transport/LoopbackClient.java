package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens shipments to a {@link LoopbackServer}. */
final class LoopbackClient implements TransportClient {
  /** Finds the server when a shipment is opened, not before. */
  interface Route {
    LoopbackServer server() throws ShipmentException;
  }

  private final Route route;
  private final TransportOptions options;
  private final Set<Shipment> shipments = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  LoopbackClient(Route route, TransportOptions options) {
    this.route = route;
    this.options = options;
  }

  @Override
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the client is closed");
    }
    return opened(route.server().open(header, options.openTimeout()));
  }

  @Override
  public ResumedShipment resume(ResumeTicket ticket, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the client is closed");
    }
    ResumedShipment resumed = route.server().resume(ticket, options.openTimeout());
    opened(resumed.shipment());
    return resumed;
  }

  private Shipment opened(Shipment shipment) {
    shipments.removeIf(earlier -> earlier.committed().isDone());
    shipments.add(shipment);
    return shipment;
  }

  @Override
  public void close() {
    closed = true;
    shipments.forEach(
        shipment ->
            shipment.cancel(new ShipmentException(Fault.CANCELLED, "the client was closed")));
  }
}
