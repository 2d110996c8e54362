package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import java.util.function.Consumer;

/**
 * Passes the answers to a shipment on, and notifies an observer of some of them.
 *
 * @param whenHeld called after the worker was notified that the whole cargo is here
 * @param whenFailed receives the reason before the worker does
 */
public record ObservedReplies(
    ShipmentReplies replies, Runnable whenHeld, Consumer<ShipmentException> whenFailed)
    implements ShipmentReplies {
  @Override
  public long shipmentId() {
    return replies.shipmentId();
  }

  @Override
  public void held(Seal seal) {
    replies.held(seal);
    whenHeld.run();
  }

  @Override
  public void committed(long snapshotTimestamp) {
    replies.committed(snapshotTimestamp);
  }

  @Override
  public void failed(ShipmentException cause) {
    whenFailed.accept(cause);
    replies.failed(cause);
  }
}
