package io.drayage.worker;

import io.drayage.coordination.NodeInfo;
import io.drayage.frame.CommitOptions;
import java.time.Duration;

/**
 * The configuration of a worker.
 *
 * @param name unique name of the node in the cluster
 * @param commit default commit options
 * @param load how it loads the snapshots of its own commits
 * @param threads threads that decode and apply
 * @param maxCargoBytes maximum raw bytes of a cargo or full snapshot
 * @param patience how long a commit keeps trying without progress: while there is no primary, or
 *     its snapshot is not published or cannot be loaded
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

  /** Creates options with defaults. */
  public WorkerOptions(String name) {
    this(
        name,
        CommitOptions.DEFAULT,
        LoadMode.OWN,
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() / 4 * 3,
        DEFAULT_PATIENCE);
  }

  /** A copy with another load mode. */
  public WorkerOptions withLoad(LoadMode mode) {
    return new WorkerOptions(name, commit, mode, threads, maxCargoBytes, patience);
  }

  /** A copy with other commit options. */
  public WorkerOptions withCommit(CommitOptions options) {
    return new WorkerOptions(name, options, load, threads, maxCargoBytes, patience);
  }

  /** A copy with another patience. */
  public WorkerOptions withPatience(Duration time) {
    return new WorkerOptions(name, commit, load, threads, maxCargoBytes, time);
  }

  /** Workers accept no connections, so they have no address. */
  NodeInfo node() {
    return new NodeInfo(name, "-");
  }
}
