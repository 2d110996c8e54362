package io.drayage.transport.netty;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A client that counts the leases that it was given and that are not released. */
final class CountedClient implements TransportClient {
  private final TransportClient client;
  private final AtomicLong openLeases = new AtomicLong();
  private final AtomicInteger resumes = new AtomicInteger();

  CountedClient(TransportClient client) {
    this.client = client;
  }

  /** The frames that a transport has taken over and not released. */
  long openLeases() {
    return openLeases.get();
  }

  /** How often a shipment went on. */
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

  private final class CountedShipment implements Shipment {
    private final Shipment shipment;

    CountedShipment(Shipment shipment) {
      this.shipment = shipment;
    }

    @Override
    public boolean offer(Lease frame) throws ShipmentException {
      openLeases.incrementAndGet();
      boolean taken = false;
      try {
        taken =
            shipment.offer(
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

    @Override
    public void awaitReady() throws ShipmentException, InterruptedException {
      shipment.awaitReady();
    }

    @Override
    public long maxFrameBytes() {
      return shipment.maxFrameBytes();
    }

    @Override
    public void whenReady(Runnable action) {
      shipment.whenReady(action);
    }

    @Override
    public long id() {
      return shipment.id();
    }

    @Override
    public Optional<ResumeTicket> ticket() {
      return shipment.ticket();
    }

    @Override
    public BitSet received() {
      return shipment.received();
    }

    @Override
    public CompletableFuture<Seal> held() {
      return shipment.held();
    }

    @Override
    public CompletableFuture<Long> committed() {
      return shipment.committed();
    }

    @Override
    public void cancel(ShipmentException cause) {
      shipment.cancel(cause);
    }

    @Override
    public void close() {
      shipment.close();
    }
  }
}
