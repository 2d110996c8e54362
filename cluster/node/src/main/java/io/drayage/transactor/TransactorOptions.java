package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.NodeInfo;
import io.drayage.database.InitialTable;
import io.drayage.database.TransactionLimits;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.MemoryLimit;
import io.drayage.transport.HostPort;
import io.drayage.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of a transactor. Made by a {@link #builder}.
 *
 * @param name unique name of the node in the cluster
 * @param listen address to listen on; port 0 for any free one
 * @param advertised the host under which workers reach it
 * @param tables the initial tables, if the object store has no database
 * @param limits limits for cargoes; with the codecs that it accepts
 * @param codecThreads number of threads that decode, apply and load
 * @param transport transport options of the listener
 * @param memory limit of the database's memory, as primary
 * @param historyBytes limit of the history, the rows of recent commits, by which conflicts are
 *     found: see {@link io.drayage.store.MemoryStore}
 * @param fullSnapshotEvery number of log entries between full snapshots
 * @param storeTimeout time limit for storing a snapshot after it was applied
 * @param drainTimeout time limit for pending commits when the node is closed
 * @param transactions limits for transactions of several workers
 */
public record TransactorOptions(
    String name,
    InetSocketAddress listen,
    String advertised,
    List<InitialTable> tables,
    ReceiverLimits limits,
    int codecThreads,
    TransportOptions transport,
    MemoryLimit memory,
    long historyBytes,
    int fullSnapshotEvery,
    Duration storeTimeout,
    Duration drainTimeout,
    TransactionLimits transactions) {
  /** The default of {@link #fullSnapshotEvery}. */
  public static final int DEFAULT_FULL_SNAPSHOT_EVERY = 100;

  /** Divisor of the heap that gives the default of {@link #historyBytes}. */
  private static final int HISTORY_SHARE = 16;

  public TransactorOptions {
    tables = List.copyOf(tables);
    // Refuses a name or address that other nodes could not read.
    NodeInfo unused = new NodeInfo(name, advertised + ":" + listen.getPort());
    if (fullSnapshotEvery < 1) {
      throw new IllegalArgumentException(
          format("fullSnapshotEvery must be at least 1, not %d", fullSnapshotEvery));
    }
    if (codecThreads < 1) {
      throw new IllegalArgumentException(
          format("codecThreads must be at least 1, not %d", codecThreads));
    }
  }

  /**
   * Begins with the defaults: no tables, {@link ReceiverLimits#ofHeap}, a codec thread per core,
   * {@link TransportOptions#DEFAULT}, no limit of the database's memory, a 16th of the heap for the
   * history, a full snapshot every {@value #DEFAULT_FULL_SNAPSHOT_EVERY} entries, 2 minutes to
   * store a snapshot, 10 s for pending commits when the node is closed.
   *
   * @param name unique in the cluster
   * @param listen address to listen on, whose host is advertised as well; port 0 for any free one
   */
  public static Builder builder(String name, InetSocketAddress listen) {
    return new Builder(
        new TransactorOptions(
            name,
            listen,
            listen.getHostString(),
            List.of(),
            ReceiverLimits.ofHeap(),
            Runtime.getRuntime().availableProcessors(),
            TransportOptions.DEFAULT,
            MemoryLimit.NONE,
            Runtime.getRuntime().maxMemory() / HISTORY_SHARE,
            DEFAULT_FULL_SNAPSHOT_EVERY,
            Duration.ofMinutes(2),
            Duration.ofSeconds(10),
            TransactionLimits.ofHeap()));
  }

  /** Begins with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Changes options. Each is documented at the component of its name. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final InetSocketAddress listen;
    private String advertised;
    private List<InitialTable> tables;
    private ReceiverLimits limits;
    private int codecThreads;
    private TransportOptions transport;
    private MemoryLimit memory;
    private long historyBytes;
    private int fullSnapshotEvery;
    private Duration storeTimeout;
    private Duration drainTimeout;
    private TransactionLimits transactions;

    private Builder(TransactorOptions from) {
      this.name = from.name;
      this.listen = from.listen;
      this.advertised = from.advertised;
      this.tables = from.tables;
      this.limits = from.limits;
      this.codecThreads = from.codecThreads;
      this.transport = from.transport;
      this.memory = from.memory;
      this.historyBytes = from.historyBytes;
      this.fullSnapshotEvery = from.fullSnapshotEvery;
      this.storeTimeout = from.storeTimeout;
      this.drainTimeout = from.drainTimeout;
      this.transactions = from.transactions;
    }

    /** The host under which workers reach the node; by default the host of the listener. */
    public Builder advertised(String host) {
      advertised = host;
      return this;
    }

    /** The tables of a database that does not exist yet; by default none. */
    public Builder tables(List<InitialTable> initial) {
      tables = initial;
      return this;
    }

    /** The limits of cargoes, and the codecs that the node accepts. */
    public Builder limits(ReceiverLimits ofCargoes) {
      limits = ofCargoes;
      return this;
    }

    /** Number of threads that decode, apply and load. */
    public Builder codecThreads(int count) {
      codecThreads = count;
      return this;
    }

    /** The options of the listener. */
    public Builder transport(TransportOptions options) {
      transport = options;
      return this;
    }

    /** Limit of the database's memory, as primary. */
    public Builder memory(MemoryLimit limit) {
      memory = limit;
      return this;
    }

    /** Limit of the history, the rows of recent commits, by which conflicts are found. */
    public Builder historyBytes(long bytes) {
      historyBytes = bytes;
      return this;
    }

    /**
     * Number of log entries between full snapshots; by default {@value
     * TransactorOptions#DEFAULT_FULL_SNAPSHOT_EVERY}.
     */
    public Builder fullSnapshotEvery(int entries) {
      fullSnapshotEvery = entries;
      return this;
    }

    /** Time limit for storing a snapshot after it was applied. */
    public Builder storeTimeout(Duration timeout) {
      storeTimeout = timeout;
      return this;
    }

    /** Time limit for pending commits when the node is closed. */
    public Builder drainTimeout(Duration timeout) {
      drainTimeout = timeout;
      return this;
    }

    /** Limits for transactions of several workers. */
    public Builder transactions(TransactionLimits limitsOfThem) {
      transactions = limitsOfThem;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws IllegalArgumentException if an option is outside its range
     */
    public TransactorOptions build() {
      return new TransactorOptions(
          name,
          listen,
          advertised,
          tables,
          limits,
          codecThreads,
          transport,
          memory,
          historyBytes,
          fullSnapshotEvery,
          storeTimeout,
          drainTimeout,
          transactions);
    }
  }

  NodeInfo node(int port) {
    return new NodeInfo(name, HostPort.text(advertised, port), limits.codecs().words());
  }
}
