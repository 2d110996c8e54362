package io.drayage.transport.netty;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.ForwardingShipment;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A client that counts its unreleased leases. */
final class CountedClient implements TransportClient {
  private final TransportClient client;
  private final AtomicLong openLeases = new AtomicLong();
  private final AtomicInteger resumes = new AtomicInteger();

  CountedClient(TransportClient client) {
    this.client = client;
  }

  /** Returns the number of frames that a transport has taken over and not released. */
  long openLeases() {
    return openLeases.get();
  }

  /** Returns the number of resumptions. */
  int resumes() {
    return resumes.get();
  }

  @Override
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    return new CountedShipment(client.open(header));
  }

  @Override
  public Shipment open(ShipmentHeader header, long creditBytes, Duration patience)
      throws ShipmentException, InterruptedException {
    return new CountedShipment(client.open(header, creditBytes, patience));
  }

  @Override
  public Shipment resume(ResumeTicket ticket, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    Shipment resumed = new CountedShipment(client.resume(ticket, header));
    resumes.incrementAndGet();
    return resumed;
  }

  @Override
  public void abandon(ResumeTicket ticket, ShipmentException cause) {
    client.abandon(ticket, cause);
  }

  @Override
  public void close() {
    client.close();
  }

  private final class CountedShipment extends ForwardingShipment {
    CountedShipment(Shipment shipment) {
      super(shipment);
    }

    @Override
    public boolean offer(Lease frame) throws ShipmentException {
      openLeases.incrementAndGet();
      boolean taken = false;
      try {
        taken =
            super.offer(
                new Lease(
                    frame.buffer(),
                    () -> {
                      frame.close();
                      openLeases.decrementAndGet();
                    }));
        return taken;
      } finally {
        if (!taken) {
          openLeases.decrementAndGet();
        }
      }
    }
  }
}
