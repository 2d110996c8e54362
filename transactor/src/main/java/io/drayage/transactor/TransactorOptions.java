package io.drayage.transactor;

import io.drayage.coordination.NodeInfo;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.column.TableSchema;
import io.drayage.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How a transactor is set up.
 *
 * @param name names the node in the cluster
 * @param listen where it takes cargoes; port 0 for any free one
 * @param advertised the host by which workers reach it
 * @param tables the database to begin with, if the object store holds none; without rows
 * @param limits what it takes from its workers
 * @param codecThreads how many threads decode, apply and load
 * @param transport how it listens
 * @param historyBytes memory for what the last commits touched, see {@link
 *     io.drayage.store.MemoryStore}
 * @param fullSnapshotEvery after how many log entries a full snapshot is written
 * @param storeTimeout how long the object store may take for one snapshot after it was applied
 * @param drainTimeout how long commits under way are waited for when the node is closed
 */
public record TransactorOptions(
    String name,
    InetSocketAddress listen,
    String advertised,
    List<InitialTable> tables,
    ReceiverLimits limits,
    int codecThreads,
    TransportOptions transport,
    long historyBytes,
    int fullSnapshotEvery,
    Duration storeTimeout,
    Duration drainTimeout) {
  /** The default of {@link #fullSnapshotEvery}. */
  public static final int DEFAULT_FULL_SNAPSHOT_EVERY = 100;

  /**
   * A table of a new database.
   *
   * @param schema what it is
   * @param rows how many rows of default values it has
   */
  public record InitialTable(TableSchema schema, long rows) {}

  public TransactorOptions {
    tables = List.copyOf(tables);
    if (fullSnapshotEvery < 1) {
      throw new IllegalArgumentException(
          "fullSnapshotEvery must be at least 1, not %d".formatted(fullSnapshotEvery));
    }
    if (codecThreads < 1) {
      throw new IllegalArgumentException(
          "codecThreads must be at least 1, not %d".formatted(codecThreads));
    }
  }

  /** The defaults for a node at an address. */
  public TransactorOptions(String name, InetSocketAddress listen, List<InitialTable> tables) {
    this(
        name,
        listen,
        listen.getHostString(),
        tables,
        ReceiverLimits.ofHeap(),
        Runtime.getRuntime().availableProcessors(),
        TransportOptions.DEFAULT,
        Runtime.getRuntime().maxMemory() / 16,
        DEFAULT_FULL_SNAPSHOT_EVERY,
        Duration.ofMinutes(2),
        Duration.ofSeconds(10));
  }

  /** The same with other limits. */
  public TransactorOptions withLimits(ReceiverLimits taken) {
    return new TransactorOptions(
        name,
        listen,
        advertised,
        tables,
        taken,
        codecThreads,
        transport,
        historyBytes,
        fullSnapshotEvery,
        storeTimeout,
        drainTimeout);
  }

  /** The same with another interval of full snapshots. */
  public TransactorOptions withFullSnapshotEvery(int entries) {
    return new TransactorOptions(
        name,
        listen,
        advertised,
        tables,
        limits,
        codecThreads,
        transport,
        historyBytes,
        entries,
        storeTimeout,
        drainTimeout);
  }

  /** The same with another time for the object store. */
  public TransactorOptions withStoreTimeout(Duration timeout) {
    return new TransactorOptions(
        name,
        listen,
        advertised,
        tables,
        limits,
        codecThreads,
        transport,
        historyBytes,
        fullSnapshotEvery,
        timeout,
        drainTimeout);
  }

  NodeInfo node(int port) {
    return new NodeInfo(name, advertised + ":" + port);
  }
}
