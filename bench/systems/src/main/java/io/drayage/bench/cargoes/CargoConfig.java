package io.drayage.bench.cargoes;

import io.drayage.bench.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * A cargo in a result.
 *
 * @param size the size that the user asked for; null if the cargo has a size of its own
 * @param sizeBytes that size in bytes
 * @param cargo as the user wrote it
 * @param cargoDescription the description of the cargo
 * @param seed of the cargo's values
 */
public record CargoConfig(
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed) {
  /** Creates the entry of a cargo, as the user wrote it. */
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
