package io.drayage.bench.rig.node;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.warmup.NodeWarmup;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a child is for.
 *
 * @param cargo what is shipped; another one for each worker
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param zookeeper where their ZooKeeper is, with a root path for the system; null without commits
 * @param host the address at which a transactor listens, an IP address
 * @param worker the worker's number, from 1; 0 for a transactor
 * @param warmUp whether the child warms itself before it is ready, as nodes do
 * @param besideOthers whether what the child was before stays ready, to go on with it by the same
 *     job again; if not, it is closed. Two jobs that differ in this alone are the same work
 */
public record Job(
    String system,
    SystemOptions options,
    JobCargo cargo,
    Delivery.@Nullable Commits commits,
    @Nullable String zookeeper,
    String host,
    int worker,
    boolean warmUp,
    boolean besideOthers) {
  /** The job of a worker, whose cargo is its own. */
  public Job ofWorker(int number, JobCargo own) {
    return new Job(system, options, own, commits, zookeeper, host, number, warmUp, besideOthers);
  }

  /** Sets whether what the child was before stays ready. */
  public Job withBesideOthers(boolean beside) {
    return new Job(system, options, cargo, commits, zookeeper, host, worker, warmUp, beside);
  }

  /** Whether the worker's cargo is the same as for that job. */
  boolean hasCargoOf(Job other) {
    return cargo.equals(other.cargo);
  }

  SystemUnderTest parsedSystem() {
    return Systems.notation().parse(system);
  }

  /** Begins what a node does before it is ready, on a thread of its own. */
  NodeWarmup beginWarmUp() {
    SystemUnderTest parsed = parsedSystem();
    int threads =
        worker == 0 ? options.transactorThreadsOf(parsed) : options.workerThreadsOf(parsed);
    return SystemWarmup.begin(parsed, threads, warmUp ? NodeWarmup.DEFAULT_LIMIT : Duration.ZERO);
  }

  /** Where a transactor listens: at any port that is free. */
  InetSocketAddress anyPort() {
    return new InetSocketAddress(host, 0);
  }
}
