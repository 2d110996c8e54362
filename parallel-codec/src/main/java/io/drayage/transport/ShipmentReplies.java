package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;

/**
 * The transactor's answers to one shipment. Thread-safe; an answer to a peer that is gone is
 * dropped. {@link #held} comes first, then {@link #committed}; {@link #failed} may take the place
 * of either, and nothing follows it.
 */
public interface ShipmentReplies {
  /** The number that the transport gave the shipment. */
  long shipmentId();

  /** The whole cargo is here, decoded and verified. */
  void held(Seal seal);

  /**
   * The cargo has taken effect in the snapshot with this timestamp; a fragment is stored if it is
   * {@link io.drayage.frame.ControlFrame#PREPARED}.
   */
  void committed(long snapshotTimestamp);

  /**
   * The shipment is over for this reason, and with this outcome. The transport frees what it holds
   * of it.
   */
  void failed(ShipmentException cause);
}
