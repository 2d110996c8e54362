package io.drayage.worker;

import io.drayage.codec.Serializer;
import io.drayage.coordination.NodeInfo;
import io.drayage.frame.CommitOptions;
import io.drayage.receive.AllowedCodecs;
import java.time.Duration;

/**
 * The configuration of a worker.
 *
 * @param name unique name of the node in the cluster
 * @param commit default commit options
 * @param load how it loads the snapshots of its own commits
 * @param threads threads that decode and apply
 * @param maxCargoBytes maximum raw bytes of a cargo
 * @param patience how long a commit keeps trying without progress: while there is no primary, or
 *     its snapshot is not published or cannot be loaded
 * @param codecs in what form snapshots may have been committed, by this worker or others: at least
 *     what the cluster's transactors accept
 */
public record WorkerOptions(
    String name,
    CommitOptions commit,
    LoadMode load,
    int threads,
    long maxCargoBytes,
    Duration patience,
    AllowedCodecs codecs) {
  /** The default of {@link #patience}. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

  /**
   * @throws IllegalArgumentException if the name cannot be that of a node: see {@link NodeInfo}
   */
  public WorkerOptions {
    NodeInfo unused = new NodeInfo(name, NodeInfo.NO_ADDRESS);
  }

  /** Creates options with defaults. */
  public WorkerOptions(String name) {
    this(
        name,
        CommitOptions.DEFAULT,
        LoadMode.OWN,
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() / 4 * 3,
        DEFAULT_PATIENCE,
        AllowedCodecs.DATA_ONLY);
  }

  /** A copy with another load mode. */
  public WorkerOptions withLoad(LoadMode mode) {
    return new WorkerOptions(name, commit, mode, threads, maxCargoBytes, patience, codecs);
  }

  /** A copy with other commit options. */
  public WorkerOptions withCommit(CommitOptions options) {
    return new WorkerOptions(name, options, load, threads, maxCargoBytes, patience, codecs);
  }

  /** A copy with another patience. */
  public WorkerOptions withPatience(Duration time) {
    return new WorkerOptions(name, commit, load, threads, maxCargoBytes, time, codecs);
  }

  /** A copy with one more serializer allowed. */
  public WorkerOptions allowing(Serializer serializer) {
    return new WorkerOptions(
        name, commit, load, threads, maxCargoBytes, patience, codecs.allowing(serializer));
  }

  /** Workers accept no connections, so they have no address. */
  NodeInfo node() {
    return new NodeInfo(name, NodeInfo.NO_ADDRESS, codecs.words());
  }
}
