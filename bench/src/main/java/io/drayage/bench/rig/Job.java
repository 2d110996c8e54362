package io.drayage.bench.rig;

import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import org.jspecify.annotations.Nullable;

/**
 * What a child is for.
 *
 * @param seed of the cargo's values; another one for each worker
 * @param streaming how the cargo is streamed; null if it is in memory
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param worker the worker's number, from 1; 0 for a transactor
 */
record Job(
    String system,
    SystemOptions options,
    String cargo,
    long sizeBytes,
    long seed,
    @Nullable Streaming streaming,
    @Nullable Commits commits,
    int worker) {
  /** The same for a worker, whose cargo is its own. */
  Job ofWorker(int number) {
    return new Job(
        system, options, cargo, sizeBytes, seed + number - 1, streaming, commits, number);
  }

  SystemUnderTest parsedSystem() {
    return Systems.notation().parse(system);
  }

  CargoSource source() {
    return CargoSources.parse(cargo, sizeBytes, seed);
  }
}
