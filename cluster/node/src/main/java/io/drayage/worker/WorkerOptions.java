package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Serializer;
import io.drayage.coordination.NodeInfo;
import io.drayage.database.LoadMode;
import io.drayage.frame.CommitOptions;
import io.drayage.receive.AllowedCodecs;
import java.time.Duration;

/**
 * The configuration of a worker. Begin with {@link #WorkerOptions(String)}, and change options by
 * the methods named after them.
 *
 * @param name unique name of the node in the cluster
 * @param commit default commit options
 * @param load how it loads the snapshots of its own commits
 * @param threads number of threads that decode and apply
 * @param maxCargoBytes maximum raw bytes of a cargo
 * @param patience how long a commit retries without progress: while there is no primary, or its
 *     snapshot is not published or cannot be loaded
 * @param longestWait how long a commit waits while the primary answers {@code BUSY}, such as for a
 *     free place among the shipments; this time does not count against the patience
 * @param codecs the codecs that commits of any worker may have used: at least all that the
 *     cluster's transactors accept
 */
public record WorkerOptions(
    String name,
    CommitOptions commit,
    LoadMode load,
    int threads,
    long maxCargoBytes,
    Duration patience,
    Duration longestWait,
    AllowedCodecs codecs) {
  /** The default of {@link #patience}. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

  /** The default of {@link #longestWait}. */
  public static final Duration DEFAULT_LONGEST_WAIT = Duration.ofMinutes(10);

  /**
   * @throws IllegalArgumentException if the name is not that of a node, see {@link NodeInfo}, or
   *     {@code threads} is less than 1
   */
  public WorkerOptions {
    // Refuses a name that other nodes could not read.
    NodeInfo unused = new NodeInfo(name, NodeInfo.NO_ADDRESS);
    if (threads < 1) {
      throw new IllegalArgumentException(format("threads must be at least 1, not %d", threads));
    }
  }

  /**
   * Creates options with defaults: {@link CommitOptions#DEFAULT}, {@link LoadMode#OWN}, a thread a
   * core, cargoes of three quarters of the heap, {@link #DEFAULT_PATIENCE}, {@link
   * #DEFAULT_LONGEST_WAIT}, and codecs that read data only.
   */
  public WorkerOptions(String name) {
    this(
        name,
        CommitOptions.DEFAULT,
        LoadMode.OWN,
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() / 4 * 3,
        DEFAULT_PATIENCE,
        DEFAULT_LONGEST_WAIT,
        AllowedCodecs.DATA_ONLY);
  }

  /** Returns a copy with another load mode. */
  public WorkerOptions withLoad(LoadMode mode) {
    return new WorkerOptions(
        name, commit, mode, threads, maxCargoBytes, patience, longestWait, codecs);
  }

  /** Returns a copy with other commit options. */
  public WorkerOptions withCommit(CommitOptions options) {
    return new WorkerOptions(
        name, options, load, threads, maxCargoBytes, patience, longestWait, codecs);
  }

  /** Returns a copy with another number of threads. */
  public WorkerOptions withThreads(int count) {
    return new WorkerOptions(
        name, commit, load, count, maxCargoBytes, patience, longestWait, codecs);
  }

  /** Returns a copy with another maximum of the raw bytes of a cargo. */
  public WorkerOptions withMaxCargoBytes(long bytes) {
    return new WorkerOptions(name, commit, load, threads, bytes, patience, longestWait, codecs);
  }

  /** Returns a copy with another patience. */
  public WorkerOptions withPatience(Duration time) {
    return new WorkerOptions(name, commit, load, threads, maxCargoBytes, time, longestWait, codecs);
  }

  /** Returns a copy with another longest wait. */
  public WorkerOptions withLongestWait(Duration time) {
    return new WorkerOptions(name, commit, load, threads, maxCargoBytes, patience, time, codecs);
  }

  /** Returns a copy with one more allowed serializer. */
  public WorkerOptions allowing(Serializer serializer) {
    return new WorkerOptions(
        name,
        commit,
        load,
        threads,
        maxCargoBytes,
        patience,
        longestWait,
        codecs.allowing(serializer));
  }

  /** The node of a worker, which has no address because workers accept no connections. */
  NodeInfo node() {
    return new NodeInfo(name, NodeInfo.NO_ADDRESS, codecs.words());
  }
}
