package io.drayage.transport;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;

/**
 * The transactor's answers to one shipment. Thread-safe; an answer to a peer that is gone is
 * dropped. {@link #held} comes first, then {@link #committed}. {@link #failed} may replace either
 * of them, and is the last answer.
 */
public interface ShipmentReplies {
  /** The number that the transport gave the shipment. */
  long shipmentId();

  /** Answers that the whole cargo is here, decoded and verified. */
  void held(Seal seal);

  /**
   * Answers that the cargo has taken effect in the snapshot with this timestamp, or, for {@link
   * io.drayage.frame.ControlFrame#PREPARED}, that a fragment is stored.
   */
  void committed(long snapshotTimestamp);

  /**
   * Ends the shipment with this reason and outcome. The transport frees all resources of the
   * shipment.
   */
  void failed(ShipmentException cause);
}
