package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import java.util.function.Consumer;

/**
 * Keeps the frames of shipments when they are decoded, so that the store need not encode the cargo
 * a second time. Thread-safe.
 *
 * @param <R> the recording of one shipment's frames
 */
@FunctionalInterface
public interface ShipmentRecorder<R extends ShipmentRecording> {
  /**
   * Begins to record one shipment. Called on an event loop: does not block.
   *
   * @param onFailed to be called, at most once and on any thread, when the frames cannot be kept;
   *     ends the shipment for that reason, unless its cargo is whole already
   * @throws ShipmentException {@code REFUSED} if no shipment can be recorded now, with the reason
   */
  R begin(ShipmentHeader header, Consumer<ShipmentException> onFailed) throws ShipmentException;

  /**
   * Returns the share of the store of a shipment whose recording has just begun. Must not block.
   */
  default StoreShare share(ShipmentHeader header) {
    return StoreShare.UNKNOWN;
  }
}
