package io.drayage.bench.cargoes;

import io.drayage.bench.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * A cargo as it stands in a result.
 *
 * @param size the size that was asked for; null if the cargo has a size of its own
 * @param sizeBytes the same in bytes
 * @param cargo as the user wrote it
 * @param cargoDescription what that is
 * @param seed of the cargo's values
 */
public record CargoConfig(
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed) {
  /** Of a cargo that the user wrote so. */
  public static CargoConfig of(String cargo, ByteSize size, long seed, CargoSource source) {
    boolean sizeCounts = CargoSources.sizeCounts(cargo);
    return new CargoConfig(
        sizeCounts ? size.text() : null,
        sizeCounts ? (Long) size.bytes() : null,
        cargo,
        source.describe(),
        seed);
  }
}
