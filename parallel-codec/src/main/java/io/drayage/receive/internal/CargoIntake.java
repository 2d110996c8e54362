package io.drayage.receive.internal;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;

/** Decides where a cargo in segments goes, and hears how its decoding ends. Thread-safe. */
public interface CargoIntake {
  /** The raw bytes of the largest cargo that is received at all. */
  long maxCargoBytes();

  /**
   * Acquires what one cargo needs, before anything is allocated for it.
   *
   * @param manifest checked against {@link #maxCargoBytes}
   * @param frame carried the manifest; only to be read, and retained by who keeps it
   * @throws ShipmentException {@code BUSY} if there is no room for it now, {@code MANIFEST} if it
   *     describes no cargo
   */
  CargoSink open(Manifest manifest, Lease frame) throws ShipmentException;

  /**
   * Further segments have been decoded. On any thread, and before {@link #received}.
   *
   * @param frame carried them; read-only, and to be retained by whoever keeps it
   * @param segments how many
   */
  default void decoded(Lease frame, int segments) {}

  /**
   * The cargo is complete and its seal matches. On a codec thread or an event loop; must not block.
   *
   * @param seal of what arrived
   */
  void received(Seal seal);

  /** The cargo will not be received, and memory is short: forgets what there is of it. */
  default void dropMemory() {}

  /** The cargo cannot be received for this reason. May be called again. */
  void failed(ShipmentException cause);
}
