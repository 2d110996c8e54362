package io.drayage.bench.rig.node;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.warmup.NodeWarmup;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The job of a child.
 *
 * @param cargo the shipped cargo; another one for each worker
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param zookeeper the address of ZooKeeper, with a root path for the system; null without commits
 * @param host the IP address at which a transactor listens
 * @param worker the worker's number, from 1; 0 for a transactor
 * @param warmUp whether the child warms itself before it is ready, as nodes do
 * @param besideOthers whether the child's earlier jobs stay ready for the same job again; otherwise
 *     they are closed. Two jobs that differ in this alone are the same work
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
  /** Returns the job of a worker with its own cargo. */
  public Job ofWorker(int number, JobCargo own) {
    return new Job(system, options, own, commits, zookeeper, host, number, warmUp, besideOthers);
  }

  /** Sets whether the child's earlier jobs stay ready. */
  public Job withBesideOthers(boolean beside) {
    return new Job(system, options, cargo, commits, zookeeper, host, worker, warmUp, beside);
  }

  /** Checks whether the worker's cargo is the same as in that job. */
  boolean hasCargoOf(Job other) {
    return cargo.equals(other.cargo);
  }

  SystemUnderTest parsedSystem() {
    return Systems.notation().parse(system);
  }

  /** Begins a node's work before it is ready, on a separate thread. */
  NodeWarmup beginWarmUp() {
    SystemUnderTest parsed = parsedSystem();
    int threads =
        worker == 0 ? options.transactorThreadsOf(parsed) : options.workerThreadsOf(parsed);
    return SystemWarmup.begin(parsed, threads, warmUp ? NodeWarmup.DEFAULT_LIMIT : Duration.ZERO);
  }

  /** Returns the address of a transactor, with any free port. */
  InetSocketAddress anyPort() {
    return new InetSocketAddress(host, 0);
  }
}
