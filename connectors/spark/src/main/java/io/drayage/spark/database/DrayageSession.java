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
 * A cluster as this JVM uses it: one for all tasks of an executor, and for all queries of a driver,
 * that have the same options. Lives as long as the application of Spark. Thread-safe.
 *
 * <p>The store that the options name is the cluster's: that is compared with each snapshot that is
 * published, before it is read. So a database that is made again or restored at the same addresses
 * is noticed, and what is known of the one before is not used.
 */
public final class DrayageSession implements AutoCloseable {
  /** How long to go on while no primary answers, or nothing is published. */
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

  /** What was published, and is known to be in the store; null at first. Guarded by this. */
  private @Nullable LogPosition compared;

  /** The tables of the snapshot that was asked for last. Guarded by this. */
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
   * The session of this JVM with these options.
   *
   * @throws IOException if there is none yet and the store or the coordination cannot be used, or
   *     no cluster is there
   */
  public static DrayageSession of(DrayageOptions options) throws IOException {
    return SESSIONS.of(options);
  }

  /** The store of the database. */
  public DrayageStore store() {
    return store;
  }

  /** The cluster. */
  public Coordination coordination() {
    return coordination;
  }

  /** Creates senders to the primary at an address, which count in {@link #metrics}. */
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

  /** What all of its senders count together. */
  public DrayageMetrics metrics() {
    return metrics;
  }

  /** A permit for each fragment that may be shipped at a time. */
  public Semaphore shipments() {
    return shipments;
  }

  /**
   * The newest published snapshot, once the store is seen to have it.
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
    // Mostly it is the next one of the same log, of which one entry tells.
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
   * The entry that made a snapshot, in the log that the cluster goes on from.
   *
   * @throws io.drayage.database.ForeignDatabaseException as {@link #published}
   */
  public LogPosition snapshot(long timestamp) throws IOException {
    LogPosition newest = published();
    boolean isNumber = timestamp >= 0 && timestamp < Long.MAX_VALUE;
    OptionalInt checksum = isNumber ? store.catalog().checksum(timestamp) : OptionalInt.empty();
    // To read one that is not there fails, naming those that are.
    return new LogPosition(newest.database(), timestamp, checksum.orElse(0));
  }

  /**
   * The tables of a snapshot.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   * @throws io.drayage.database.ForeignDatabaseException if it has another in its place
   */
  public synchronized DatabaseTables tables(LogPosition snapshot) throws IOException {
    DatabaseTables known = tables;
    if (known == null || !known.snapshot().equals(snapshot)) {
      known = DatabaseTables.read(store, snapshot);
      tables = known;
    }
    return known;
  }

  /** Ends what is its own; nothing of it is under way. */
  @Override
  public void close() {
    end.run();
  }
}
