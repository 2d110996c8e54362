package io.drayage.transactor;

import io.drayage.coordination.NodeInfo;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.MemoryLimit;
import io.drayage.store.column.TableSchema;
import io.drayage.transport.HostPort;
import io.drayage.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The configuration of a transactor.
 *
 * @param name unique name of the node in the cluster
 * @param listen address to listen on; port 0 for any free one
 * @param advertised the host under which workers reach it
 * @param tables the initial tables, if the object store has no database
 * @param limits limits for cargoes
 * @param codecThreads threads that decode, apply and load
 * @param transport transport options of the listener
 * @param memory how much the database may take, as primary
 * @param historyBytes see {@link io.drayage.store.MemoryStore}
 * @param fullSnapshotEvery number of log entries between full snapshots
 * @param storeTimeout time limit for storing a snapshot after it was applied
 * @param drainTimeout time limit for pending commits when the node is closed
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
    Duration drainTimeout) {
  /** The default of {@link #fullSnapshotEvery}. */
  public static final int DEFAULT_FULL_SNAPSHOT_EVERY = 100;

  /**
   * A table of a new database.
   *
   * @param schema name and columns
   * @param rows number of rows, all of default values
   */
  public record InitialTable(TableSchema schema, long rows) {}

  public TransactorOptions {
    tables = List.copyOf(tables);
    // Refuses a name or address that others could not read, before anything is made.
    NodeInfo unused = new NodeInfo(name, advertised + ":" + listen.getPort());
    if (fullSnapshotEvery < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "fullSnapshotEvery must be at least 1, not %d", fullSnapshotEvery));
    }
    if (codecThreads < 1) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "codecThreads must be at least 1, not %d", codecThreads));
    }
  }

  NodeInfo node(int port) {
    return new NodeInfo(name, HostPort.text(advertised, port), limits.codecs().words());
  }
}
