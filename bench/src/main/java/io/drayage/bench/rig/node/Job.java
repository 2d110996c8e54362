package io.drayage.bench.rig.node;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a child is for.
 *
 * @param seed of the cargo's values; another one for each worker
 * @param streaming how the cargo is streamed; null if it is in memory
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param host the address at which a transactor listens, an IP address
 * @param worker the worker's number, from 1; 0 for a transactor
 * @param besideOthers whether what the child was before stays ready, to go on with it by the same
 *     job again; if not, it is closed. Two jobs that differ in this alone are the same work
 */
public record Job(
    String system,
    SystemOptions options,
    String cargo,
    long sizeBytes,
    long seed,
    Delivery.@Nullable Streaming streaming,
    Delivery.@Nullable Commits commits,
    String host,
    int worker,
    boolean besideOthers) {
  /** The job of a worker, whose cargo is its own. */
  public Job ofWorker(int number) {
    return new Job(
        system,
        options,
        cargo,
        sizeBytes,
        seed + number - 1,
        streaming,
        commits,
        host,
        number,
        besideOthers);
  }

  /** Sets whether what the child was before stays ready. */
  public Job withBesideOthers(boolean beside) {
    return new Job(
        system, options, cargo, sizeBytes, seed, streaming, commits, host, worker, beside);
  }

  /** Whether the worker's cargo is the same as for that job, in memory as well. */
  boolean hasCargoOf(Job other) {
    return cargo.equals(other.cargo)
        && sizeBytes == other.sizeBytes
        && seed == other.seed
        && streaming == null
        && other.streaming == null;
  }

  SystemUnderTest parsedSystem() {
    return Systems.notation().parse(system);
  }

  /** Where a transactor listens: at any port that is free. */
  InetSocketAddress anyPort() {
    return new InetSocketAddress(host, 0);
  }

  CargoSource source() {
    return CargoSources.parse(cargo, sizeBytes, seed);
  }
}
