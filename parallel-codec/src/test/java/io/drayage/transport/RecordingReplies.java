package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import java.util.concurrent.CompletableFuture;

/** Keeps the answers to a shipment, for the test to wait for. */
public class RecordingReplies implements ShipmentReplies {
  private final long shipmentId;
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();
  private final CompletableFuture<ShipmentException> failure = new CompletableFuture<>();

  public RecordingReplies(long shipmentId) {
    this.shipmentId = shipmentId;
  }

  /** Completes with the seal when the cargo is held. */
  public CompletableFuture<Seal> whenHeld() {
    return held;
  }

  /** Completes with the timestamp when the cargo has taken effect. */
  public CompletableFuture<Long> whenCommitted() {
    return committed;
  }

  /** Completes with the reason when the shipment has failed. */
  public CompletableFuture<ShipmentException> whenFailed() {
    return failure;
  }

  @Override
  public long shipmentId() {
    return shipmentId;
  }

  @Override
  public void held(Seal seal) {
    held.complete(seal);
  }

  @Override
  public void committed(long snapshotTimestamp) {
    committed.complete(snapshotTimestamp);
  }

  @Override
  public void failed(ShipmentException cause) {
    failure.complete(cause);
  }
}
