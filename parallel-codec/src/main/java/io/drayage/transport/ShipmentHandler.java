package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;

/**
 * Gets the frames of one shipment on the transactor's side. Called by one thread at a time, mostly
 * an event loop: no method may block.
 */
public interface ShipmentHandler {
  /**
   * A frame has arrived. Its header is checked, its checksum is not. Ownership passes to the
   * handler; closing the lease also renews the sender's credit for its bytes, so it is closed when
   * the frame has been decoded, not before.
   */
  void onFrame(Lease frame);

  /**
   * The shipment is over and no frame will follow: the peer is gone or silent, has cancelled it, or
   * sent something that is no frame. Not called after {@link ShipmentReplies#committed} or {@link
   * ShipmentReplies#failed}.
   */
  void onAborted(ShipmentException cause);
}
