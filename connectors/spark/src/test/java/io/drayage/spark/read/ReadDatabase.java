package io.drayage.spark.read;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.send.SegmentsSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.spark.LocalSpark;
import io.drayage.spark.TestDatabase;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;

/** A database that a worker of Drayage writes, as a catalog of the session of tests. */
final class ReadDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final SparkSession spark = LocalSpark.session();
  final String catalog = "read" + NUMBER.incrementAndGet();
  final ObjectStore objects;
  final Worker worker;
  private final TestDatabase database;
  private final Coordination coordination;
  private final CodecPool pool = new CodecPool(1, "encode");

  /**
   * @param fullSnapshotEvery entries of the log
   */
  ReadDatabase(Path folder, int fullSnapshotEvery) throws IOException {
    database = TestDatabase.of(folder, fullSnapshotEvery);
    database.addTo(spark, catalog);
    objects = database.objects();
    coordination = database.connect();
    worker =
        Worker.open(
            new WorkerOptions("w1"),
            coordination,
            objects,
            address ->
                new SegmentsSender(
                    NettyTransport.best().client(address, TransportOptions.DEFAULT),
                    pool,
                    Serializers.ofName("raw"),
                    Compressors.ofName("none"),
                    "w1"));
  }

  /** Returns the entry of the log that made the newest snapshot of the worker. */
  LogPosition newest() throws IOException {
    SnapshotCatalog snapshots = new SnapshotCatalog(objects);
    long timestamp = worker.snapshot().timestamp();
    return new LogPosition(
        snapshots.database().orElseThrow(), timestamp, snapshots.checksum(timestamp).orElseThrow());
  }

  /** Returns the options of the catalog. */
  DrayageOptions options() {
    return DrayageOptions.parse(
        catalog, Map.of("zookeeper", database.servers(), "store", database.store()));
  }

  /** Returns the name of a table in SQL. */
  String sql(String table) {
    return catalog + "." + table;
  }

  @Override
  public void close() {
    worker.close();
    coordination.close();
    pool.close();
    database.close();
  }
}
