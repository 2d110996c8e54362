package io.drayage.spark.read;

import io.drayage.cargo.TypesTable;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.LogPosition;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.send.SegmentsSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.spark.DrayageCatalog;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.Shared;
import io.drayage.store.Transaction;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;

/** A cluster in this JVM, which a worker of ours writes, as a catalog of the session of tests. */
final class ReadDatabase implements AutoCloseable {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final SparkSession spark;
  final String catalog = "read" + NUMBER.incrementAndGet();
  final ObjectStore objects;
  final Worker worker;
  private final String servers;
  private final Deque<Runnable> resources = new ArrayDeque<>();

  /**
   * @param fullSnapshotEvery entries of the log
   */
  ReadDatabase(Path folder, int fullSnapshotEvery) throws IOException {
    String store = "fs:" + Files.createDirectory(folder.resolve("store"));
    EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(folder.resolve("zk"), ANY_PORT);
    resources.push(zooKeeper::close);
    servers = zooKeeper.servers();
    objects = ObjectStores.open(store);
    resources.push(objects::close);
    CodecPool pool = new CodecPool(1, "encode");
    resources.push(pool::close);
    NettyTransport transport = NettyTransport.best();
    TransactorNode transactor =
        TransactorNode.start(
            TransactorOptions.builder("t1", ANY_PORT).fullSnapshotEvery(fullSnapshotEvery).build(),
            connect(zooKeeper),
            objects,
            transport,
            commit -> {},
            new DrayageMetrics());
    resources.push(transactor::close);
    worker =
        Worker.open(
            new WorkerOptions("w1"),
            connect(zooKeeper),
            objects,
            address ->
                new SegmentsSender(
                    transport.client(address, TransportOptions.DEFAULT),
                    pool,
                    Serializers.ofName("raw"),
                    Compressors.ofName("none"),
                    "w1"));
    resources.push(worker::close);
    spark = session();
    spark.conf().set("spark.sql.catalog." + catalog, DrayageCatalog.class.getName());
    spark.conf().set("spark.sql.catalog." + catalog + ".zookeeper", servers);
    spark.conf().set("spark.sql.catalog." + catalog + ".store", objects.name());
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", false)
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate();
  }

  private Coordination connect(EmbeddedZooKeeper zooKeeper) throws IOException {
    Coordination coordination =
        ZooKeeperCoordination.connect(ZooKeeperOptions.of(zooKeeper.servers()));
    resources.push(coordination::close);
    return coordination;
  }

  /** Says what a column is beyond its type. */
  static void keep(Transaction transaction, String table, String column, String type) {
    transaction.insert(TypesTable.NAME, Map.of("table", table, "column", column, "type", type));
  }

  /** Adds the table of types. */
  static void createTypes(Transaction transaction) {
    transaction.createTable(TypesTable.SCHEMA);
  }

  /** The entry of the log that made the newest snapshot of the worker. */
  LogPosition newest() throws IOException {
    SnapshotCatalog snapshots = new SnapshotCatalog(objects);
    long timestamp = worker.snapshot().timestamp();
    return new LogPosition(
        snapshots.database().orElseThrow(), timestamp, snapshots.checksum(timestamp).orElseThrow());
  }

  /** What the catalog is configured by. */
  DrayageOptions options() {
    return DrayageOptions.parse(catalog, Map.of("zookeeper", servers, "store", objects.name()));
  }

  /** A table as SQL names it. */
  String sql(String table) {
    return catalog + "." + table;
  }

  @Override
  public void close() {
    Shared.closeAll();
    resources.forEach(Runnable::run);
  }
}
