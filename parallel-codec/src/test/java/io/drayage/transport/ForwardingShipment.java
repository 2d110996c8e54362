package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to another shipment. A test overrides methods to see their calls. */
public class ForwardingShipment implements Shipment {
  private final Shipment shipment;

  public ForwardingShipment(Shipment shipment) {
    this.shipment = shipment;
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
  public long maxFrameBytes() {
    return shipment.maxFrameBytes();
  }

  @Override
  public boolean offer(Lease frame) throws ShipmentException {
    return shipment.offer(frame);
  }

  @Override
  public void awaitReady() throws ShipmentException, InterruptedException {
    shipment.awaitReady();
  }

  @Override
  public void whenReady(Runnable action) {
    shipment.whenReady(action);
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
