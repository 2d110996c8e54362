package io.drayage.bench.rig.node;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;

/**
 * The cargo of a comparison.
 *
 * @param notation as users write it
 * @param sizeBytes how large it shall be, if its source has a choice
 * @param heapBytes about how much heap it takes; deadlines depend on it
 * @param seed what its values follow from
 */
public record CargoSpec(String notation, long sizeBytes, long heapBytes, long seed) {
  /** The same with other values. */
  public CargoSpec withSeed(long other) {
    return new CargoSpec(notation, sizeBytes, heapBytes, other);
  }

  /** What makes it. */
  public CargoSource source() {
    return CargoSources.parse(notation, sizeBytes, seed);
  }
}
