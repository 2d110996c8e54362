package io.drayage.receive;

import io.drayage.frame.ShipmentException;
import io.drayage.segment.FrameStore;
import io.drayage.segment.Manifest;

/**
 * Takes the cargoes that are too large for a transactor's memory. Thread-safe. Closed after the
 * receiver that uses it.
 */
public interface CargoStage extends AutoCloseable {
  /** The most raw bytes of all cargoes that may be staged at a time. */
  long maxBytes();

  /**
   * Room for one cargo.
   *
   * @param manifest checked against {@link #maxBytes}
   * @throws ShipmentException {@code REFUSED} if there is none, saying why
   */
  FrameStore begin(Manifest manifest) throws ShipmentException;

  @Override
  void close();

  /**
   * A stage that keeps nothing: cargoes are decoded, checked, digested and dropped.
   *
   * @param maxBytes as {@link #maxBytes()}
   */
  static CargoStage discarding(long maxBytes) {
    return new CargoStage() {
      @Override
      public long maxBytes() {
        return maxBytes;
      }

      @Override
      public FrameStore begin(Manifest manifest) {
        return FrameStore.discarding();
      }

      @Override
      public void close() {}
    };
  }
}
