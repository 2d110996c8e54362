package io.drayage.spark.database;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.ClusterPresence;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.replica.ClusterStore;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection of this JVM to a cluster. All tasks of an executor and all queries of a driver with
 * the same options share it, until the application of Spark ends. Thread-safe.
 *
 * <p>The session checks each published snapshot against the store, before it is read. It notices a
 * database that was created again or restored at the same addresses, and drops its data of the one
 * before.
 */
public final class DrayageSession implements AutoCloseable {
  /** The longest wait for a primary that answers, or for a published snapshot. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String SERIALIZER = "columnar";
  private static final String COMPRESSOR = "none";

  private static final Shared<DrayageSession> SESSIONS = new Shared<>(DrayageSession::new);

  private final DrayageOptions options;
  private final DrayageStore store;
  private final Coordination coordination;
  private final CodecPool pool;
  private final TransportOptions transport;
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final Semaphore shipments;
  private final Runnable end;

  /** The last published snapshot that was found in the store; null at first. Guarded by this. */
  private @Nullable LogPosition compared;

  /** The tables of the last requested snapshot. Guarded by this. */
  private @Nullable DatabaseTables tables;

  private DrayageSession(DrayageOptions options) throws IOException {
    this.options = options;
    this.transport = TransportOptions.builder().tls(options.tls()).build();
    this.shipments = new Semaphore(options.shipmentsPerExecutor(), true);
    try (Begun begun = new Begun()) {
      this.coordination = ZooKeeperCoordination.connect(options.zooKeeper());
      begun.add(coordination::close);
      ClusterPresence.require(coordination);
      this.store = DrayageStore.of(options);
      this.pool = new CodecPool(Runtime.getRuntime().availableProcessors(), "encode");
      begun.add(pool::close);
      this.end = begun.keep();
    }
  }

  /**
   * Returns the session of this JVM with these options.
   *
   * @throws IOException if a new one cannot use the store or the coordination, or there is no
   *     cluster
   */
  public static DrayageSession of(DrayageOptions options) throws IOException {
    return SESSIONS.of(options);
  }

  /** Returns the store of the database. */
  public DrayageStore store() {
    return store;
  }

  /** Returns the cluster. */
  public Coordination coordination() {
    return coordination;
  }

  /** Creates senders to the primary at an address; {@link #metrics} counts them. */
  public Function<InetSocketAddress, CargoSender> connect() {
    return address ->
        new SegmentsSender(
            NettyTransport.best().client(address, transport, metrics),
            pool,
            Serializers.ofName(SERIALIZER),
            Compressors.ofName(COMPRESSOR),
            options.get(DrayageOption.NAME),
            SegmentPlanner.DEFAULT_SEGMENT_BYTES,
            metrics);
  }

  /** Returns the counts of all of its senders. */
  public DrayageMetrics metrics() {
    return metrics;
  }

  /** Returns a permit for each fragment that may be shipped at the same time. */
  public Semaphore shipments() {
    return shipments;
  }

  /**
   * Returns the newest published snapshot, after it is found in the store.
   *
   * @throws io.drayage.database.ForeignDatabaseException if the store does not hold the database of
   *     the cluster
   */
  public LogPosition published() throws IOException {
    LogPosition newest = awaitPublished();
    LogPosition before = compared();
    if (newest.equals(before)) {
      return newest;
    }
    // It is usually the next one of the same log, which one entry shows.
    if (before == null || !newest.follows(before) || !isInStore(newest)) {
      newest = ClusterStore.awaitPublished(store.catalog(), coordination, PATIENCE);
    }
    synchronized (this) {
      compared = newest;
    }
    return newest;
  }

  private LogPosition awaitPublished() throws IOException {
    try {
      return ClusterPresence.awaitPublished(coordination, PATIENCE).position();
    } catch (CoordinationException e) {
      throw new CoordinationException(
          "%s; the catalog's zookeeper is %s: is a node running there?"
              .formatted(e.getMessage(), options.get(DrayageOption.ZOOKEEPER)),
          e);
    }
  }

  private synchronized @Nullable LogPosition compared() {
    return compared;
  }

  private boolean isInStore(LogPosition entry) throws IOException {
    OptionalInt checksum = store.catalog().checksum(entry.timestamp());
    return checksum.isPresent() && checksum.getAsInt() == entry.checksum();
  }

  /**
   * Returns the entry that made a snapshot, in the cluster's current log.
   *
   * @throws io.drayage.database.ForeignDatabaseException as {@link #published}
   */
  public LogPosition snapshot(long timestamp) throws IOException {
    LogPosition newest = published();
    boolean isNumber = timestamp >= 0 && timestamp < Long.MAX_VALUE;
    OptionalInt checksum = isNumber ? store.catalog().checksum(timestamp) : OptionalInt.empty();
    // A read of a missing snapshot fails, and lists the existing ones.
    return new LogPosition(newest.database(), timestamp, checksum.orElse(0));
  }

  /**
   * Returns the tables of a snapshot.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, with the existing
   *     ones
   * @throws io.drayage.database.ForeignDatabaseException if another one is in its place
   */
  public synchronized DatabaseTables tables(LogPosition snapshot) throws IOException {
    DatabaseTables known = tables;
    if (known == null || !known.snapshot().equals(snapshot)) {
      known = DatabaseTables.read(store, snapshot);
      tables = known;
    }
    return known;
  }

  /** Closes its own resources, which must not be in use. */
  @Override
  public void close() {
    end.run();
  }
}
