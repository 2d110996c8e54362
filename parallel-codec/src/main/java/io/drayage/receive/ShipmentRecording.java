package io.drayage.receive;

import io.drayage.frame.Seal;
import io.drayage.memory.Lease;

/** The frames of one shipment, being kept as they came over the wire. None of it blocks. */
public interface ShipmentRecording {
  /**
   * A frame has arrived; its checksum has not been compared. Called by one thread at a time. The
   * recording owns the lease, and closes it when the bytes are kept: before that the worker is not
   * granted as many again, so that what waits to be kept is bounded by the credit of the shipment.
   *
   * <p>Of a shipment that is resumed, the manifest and the seal may come again; a segment that was
   * decoded does not.
   */
  void onFrame(Lease frame);

  /**
   * Every frame that came is decoded and verified, and no more will come. Called once, on any
   * thread.
   *
   * @param seal what arrived
   */
  void seal(Seal seal);

  /** Whether frames have come that are not kept yet. */
  boolean isBehind();

  /** Drops what was kept. May be called at any time, on any thread, and more than once. */
  void discard();
}
