package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import java.util.function.Consumer;

/**
 * Keeps the frames of shipments as they are decoded, so that what is stored of a cargo need not be
 * encoded a second time. Thread-safe.
 *
 * @param <R> what it keeps them in
 */
@FunctionalInterface
public interface ShipmentRecorder<R extends ShipmentRecording> {
  /**
   * Begins to record one shipment. Called on an event loop: does not block.
   *
   * @param onFailed to be called, at most once and on any thread, when the frames cannot be kept:
   *     it ends the shipment for that reason, unless its cargo is whole already
   * @throws ShipmentException {@code REFUSED} if no shipment can be recorded now, saying why
   */
  R begin(ShipmentHeader header, Consumer<ShipmentException> onFailed) throws ShipmentException;

  /**
   * What the store does with the bytes of a shipment whose recording has just begun. Must not
   * block.
   */
  default StoreShare share(ShipmentHeader header) {
    return StoreShare.UNKNOWN;
  }
}
