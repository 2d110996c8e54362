package io.drayage.receive;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;

/**
 * The frames of one shipment, being kept as they came over the wire: those that the cargo was
 * decoded from, and no others. Thread-safe. None of it blocks.
 */
public interface ShipmentRecording {
  /** Keeps nothing. */
  ShipmentRecording NONE =
      new ShipmentRecording() {
        @Override
        public void keep(Lease frame) {
          frame.release();
        }

        @Override
        public void seal(Seal seal) {}

        @Override
        public boolean isBehind() {
          return false;
        }

        @Override
        public void discard() {}
      };

  /**
   * A frame is verified and part of the cargo: the manifest, each frame of segments when it is
   * decoded, in any order, or each chunk in the order of the stream. Called by any number of
   * threads. The recording owns the lease, and closes it when the bytes are kept: before that the
   * worker is not granted as many again, so that what waits to be kept is bounded by the credit of
   * the shipment.
   */
  void keep(Lease frame);

  /**
   * The cargo is whole, and nothing more will be kept. Called once, on any thread.
   *
   * @param seal of what was decoded
   * @throws ShipmentException if that is not what was kept: then there is no commit
   */
  void seal(Seal seal) throws ShipmentException;

  /** Whether frames have come that are not kept yet. */
  boolean isBehind();

  /** Drops what was kept. May be called at any time, on any thread, and more than once. */
  void discard();
}
