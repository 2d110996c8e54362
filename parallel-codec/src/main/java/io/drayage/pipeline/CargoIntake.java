package io.drayage.pipeline;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import java.nio.ByteBuffer;

/**
 * Decides where a cargo goes, before anything is allocated for it, and takes it when it is whole.
 */
public interface CargoIntake {
  /** The raw bytes of the largest cargo that is taken at all. */
  long maxCargoBytes();

  /**
   * Takes room for one cargo; given back when its shipment is over.
   *
   * @param manifest checked against {@link #maxCargoBytes}
   * @param frame that carried it, only to be read
   * @throws ShipmentException {@code BUSY} if there is no room for it now, {@code MANIFEST} if it
   *     describes no cargo
   */
  CargoSink open(Manifest manifest, ByteBuffer frame) throws ShipmentException;

  /**
   * Takes a complete cargo whose seal matches, on a codec thread or an event loop; does not block.
   *
   * @param sink made by {@link #open}; nobody else uses it any more
   */
  void whenHeld(CargoSink sink, Seal seal);
}
