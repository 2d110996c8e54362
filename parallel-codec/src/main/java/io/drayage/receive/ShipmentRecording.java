package io.drayage.receive;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;

/**
 * Keeps the frames of one shipment as they arrived over the wire: only the frames that the cargo
 * was decoded from. Thread-safe. No method blocks.
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
   * Keeps a verified frame of the cargo: the manifest, each frame of segments when it is decoded,
   * in any order, or each chunk in the order of the stream. Called by any number of threads. The
   * recording owns the lease, and closes it when the bytes are kept. Only then is the worker
   * granted new credit for the bytes, so that the credit of the shipment limits the bytes that
   * wait.
   */
  void keep(Lease frame);

  /**
   * Ends the recording, because the cargo is whole. Called once, on any thread.
   *
   * @param seal of the decoded frames
   * @throws ShipmentException if the kept frames differ: then there is no commit
   */
  void seal(Seal seal) throws ShipmentException;

  /** Whether a received frame is not kept yet. */
  boolean isBehind();

  /** Drops the kept frames. May be called at any time, on any thread, and more than once. */
  void discard();
}
