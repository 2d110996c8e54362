package io.drayage.worker;

import io.drayage.coordination.NodeInfo;
import io.drayage.frame.CommitOptions;
import java.time.Duration;

/**
 * How a worker is set up.
 *
 * @param name names the node in the cluster
 * @param commit how its cargoes are committed, unless said otherwise
 * @param load how it gets the snapshots of its own commits
 * @param threads how many threads decode and apply
 * @param maxCargoBytes raw bytes of the largest cargo, or full snapshot, that is loaded
 * @param patience how long a commit goes on without getting anywhere: with no primary to be found,
 *     or a snapshot that is not published or cannot be loaded
 */
public record WorkerOptions(
    String name,
    CommitOptions commit,
    LoadMode load,
    int threads,
    long maxCargoBytes,
    Duration patience) {
  /** The default of {@link #patience}. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

  /** The defaults. */
  public WorkerOptions(String name) {
    this(
        name,
        CommitOptions.DEFAULT,
        LoadMode.OWN,
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() / 4 * 3,
        DEFAULT_PATIENCE);
  }

  /** The same with another way to load. */
  public WorkerOptions withLoad(LoadMode mode) {
    return new WorkerOptions(name, commit, mode, threads, maxCargoBytes, patience);
  }

  /** The same with another way to commit. */
  public WorkerOptions withCommit(CommitOptions options) {
    return new WorkerOptions(name, options, load, threads, maxCargoBytes, patience);
  }

  /** The same with another patience. */
  public WorkerOptions withPatience(Duration time) {
    return new WorkerOptions(name, commit, load, threads, maxCargoBytes, time);
  }

  /** Workers take no connections: no address. */
  NodeInfo node() {
    return new NodeInfo(name, "-");
  }
}
