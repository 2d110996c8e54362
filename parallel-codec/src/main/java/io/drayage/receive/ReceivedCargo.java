package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import io.drayage.segment.Manifest;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A cargo that was received whole, decoded and verified. {@link RecordedCargo}: with its frames.
 */
public sealed interface ReceivedCargo {
  /** What its worker announced. */
  ShipmentHeader header();

  /** A cargo in memory, whose arrays belong to the committer. */
  record InMemory(ShipmentHeader header, ChangeCargo cargo) implements ReceivedCargo {}

  /**
   * A cargo that is too large for memory.
   *
   * @param digest its content digest, see {@link io.drayage.cargo.CargoDigest}
   * @param seal what arrived
   * @param file holds it, durably, and belongs to the committer once the commit was called without
   *     an exception: read it with {@link io.drayage.codec.CargoFile}. Empty if the stage keeps
   *     nothing
   */
  record Staged(
      ShipmentHeader header, Manifest manifest, long digest, Seal seal, Optional<Path> file)
      implements ReceivedCargo {}
}
