package io.drayage.receive.internal;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;

/** The destination of a cargo in segments; is notified of the end of its decoding. Thread-safe. */
public interface CargoIntake {
  /** Raw bytes of the largest cargo that is received at all. */
  long maxCargoBytes();

  /**
   * Acquires the resources of one cargo, before anything is allocated for it.
   *
   * @param manifest checked against {@link #maxCargoBytes}
   * @param frame the frame of the manifest; only to be read, and retained by a callee that keeps it
   * @throws ShipmentException {@code BUSY} if there is no room for it now, {@code MANIFEST} if it
   *     describes no cargo
   */
  CargoSink open(Manifest manifest, Lease frame) throws ShipmentException;

  /**
   * Notifies of further decoded segments. Called on any thread, before {@link #received}.
   *
   * @param frame the frame of the segments; read-only, and retained by a callee that keeps it
   * @param segments number of segments
   */
  default void decoded(Lease frame, int segments) {}

  /**
   * Notifies that the cargo is complete and its seal matches. On a codec thread or an event loop;
   * must not block.
   *
   * @param seal of the frames that arrived
   */
  void received(Seal seal);

  /** Drops the partial cargo, because it will not be received, and memory is short. */
  default void dropMemory() {}

  /** Ends the shipment, which cannot be received for this reason. May be called again. */
  void failed(ShipmentException cause);
}
