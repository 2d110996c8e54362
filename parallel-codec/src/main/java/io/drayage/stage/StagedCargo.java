package io.drayage.stage;

import io.drayage.frame.Seal;
import io.drayage.segment.Manifest;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A cargo that was received whole, decoded and verified, but is not in memory.
 *
 * @param manifest its shape
 * @param digest its content digest, see {@link io.drayage.cargo.CargoDigest}
 * @param seal what arrived
 * @param serializerId what serialized its segments
 * @param compressorId what compressed them
 * @param file holds it, durably: read it with {@link io.drayage.file.CargoFile}. Empty if the stage
 *     keeps nothing
 */
public record StagedCargo(
    Manifest manifest,
    long digest,
    Seal seal,
    int serializerId,
    int compressorId,
    Optional<Path> file) {}
