package io.drayage.bench.rig.node;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;

/**
 * The cargo of a comparison.
 *
 * @param notation as users write it
 * @param sizeBytes the wanted size, if the source allows a choice
 * @param heapBytes approximate bytes in a heap; deadlines depend on it
 * @param seed of its values
 */
public record CargoSpec(String notation, long sizeBytes, long heapBytes, long seed) {
  /** Returns the same cargo with other values. */
  public CargoSpec withSeed(long other) {
    return new CargoSpec(notation, sizeBytes, heapBytes, other);
  }

  /** Returns the source of the cargo. */
  public CargoSource source() {
    return CargoSources.parse(notation, sizeBytes, seed);
  }
}
