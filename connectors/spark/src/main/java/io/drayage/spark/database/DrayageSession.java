package io.drayage.spark.database;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.ClusterPresence;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as this JVM uses it: one for all tasks of an executor, and for all queries of a driver,
 * that have the same options. Lives as long as the JVM, but for {@link #closeAll}. Thread-safe.
 */
public final class DrayageSession {
  /** How long to go on while no primary answers, or nothing is published. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String SERIALIZER = "columnar";
  private static final String COMPRESSOR = "none";

  /** Guarded by itself. */
  private static final Map<DrayageOptions, DrayageSession> SESSIONS = new HashMap<>();

  private final DrayageOptions options;
  private final ObjectStore objects;
  private final Coordination coordination;
  private final CodecPool pool;
  private final TransportOptions transport;
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final Semaphore shipments;
  private final Runnable end;

  /** The tables of the snapshot that was asked for last. Guarded by this. */
  private @Nullable DatabaseTables tables;

  private DrayageSession(DrayageOptions options) throws IOException {
    this.options = options;
    this.transport = TransportOptions.builder().tls(options.tls()).build();
    this.shipments = new Semaphore(options.shipmentsPerExecutor(), true);
    try (Begun begun = new Begun()) {
      this.objects = ObjectStores.open(options.store());
      begun.add(objects::close);
      this.coordination = ZooKeeperCoordination.connect(options.zooKeeper());
      begun.add(coordination::close);
      ClusterPresence.require(coordination);
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
    synchronized (SESSIONS) {
      DrayageSession known = SESSIONS.get(options);
      if (known == null) {
        known = new DrayageSession(options);
        SESSIONS.put(options, known);
      }
      return known;
    }
  }

  /** Closes the sessions of a JVM that outlives its clusters; nothing of theirs is under way. */
  public static void closeAll() {
    synchronized (SESSIONS) {
      SESSIONS.values().forEach(session -> session.end.run());
      SESSIONS.clear();
    }
  }

  /** What it was made with. */
  public DrayageOptions options() {
    return options;
  }

  /** The store of the database. */
  public ObjectStore objects() {
    return objects;
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
            options.name(),
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

  /** The newest published snapshot. */
  public long published() throws IOException {
    return ClusterPresence.awaitPublished(coordination, PATIENCE).timestamp();
  }

  /**
   * The tables of a snapshot.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   */
  public synchronized DatabaseTables tables(long snapshot) throws IOException {
    DatabaseTables known = tables;
    if (known == null || known.snapshot() != snapshot) {
      known = DatabaseTables.read(objects, snapshot);
      tables = known;
    }
    return known;
  }
}
