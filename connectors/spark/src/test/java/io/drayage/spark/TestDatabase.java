package io.drayage.spark;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.spark.database.DrayageSession;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** A database of one transactor with its ZooKeeper, in this process, and its store in a folder. */
final class TestDatabase implements AutoCloseable {
  private final Path folder;
  private final EmbeddedZooKeeper zookeeper;
  private final HoldingStore objects;
  private final @Nullable Process primary;
  private final Coordination coordination;
  private final Runnable end;

  TestDatabase(Path folder) throws IOException {
    this(folder, false);
  }

  /**
   * @param other whether a process of its own is primary at first
   */
  TestDatabase(Path folder, boolean other) throws IOException {
    this.folder = folder;
    try (Begun begun = new Begun()) {
      this.zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
      begun.add(zookeeper::close);
      this.objects = new HoldingStore(ObjectStores.open("fs:" + folder.resolve("store")));
      begun.add(objects::close);
      this.coordination = connect();
      begun.add(coordination::close);
      this.primary = other ? startPrimary() : null;
      if (primary != null) {
        begun.add(primary::destroyForcibly);
        Beacon.await("a primary", () -> coordination.published().isPresent());
      }
      begun.add(transactor("transactor-2")::close);
      this.end = begun.keep();
    }
  }

  private Coordination connect() throws IOException {
    return ZooKeeperCoordination.connect(ZooKeeperOptions.of(zookeeper.servers()));
  }

  private TransactorNode transactor(String name) throws IOException {
    TransactorOptions options =
        TransactorOptions.builder(name, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .build();
    return TransactorNode.start(
        options, coordination, objects, NettyTransport.best(), commit -> {}, new DrayageMetrics());
  }

  private Process startPrimary() throws IOException {
    return ChildJvm.start(
        TransactorMain.class, folder, List.of("transactor-1", servers(), store()));
  }

  /** The process that was primary at first. */
  long primaryPid() {
    return Objects.requireNonNull(primary).pid();
  }

  /** What this process's transactor stores goes through it. */
  HoldingStore objects() {
    return objects;
  }

  String servers() {
    return zookeeper.servers();
  }

  String store() {
    return "fs:" + folder.resolve("store");
  }

  /** Makes it a catalog of a session. */
  void addTo(SparkSession spark, String catalog) {
    String name = "spark.sql.catalog." + catalog;
    spark.conf().set(name, DrayageCatalog.class.getName());
    spark.conf().set(name + ".zookeeper", servers());
    spark.conf().set(name + ".store", store());
  }

  /** The newest snapshot. */
  long newest() throws IOException {
    return new SnapshotCatalog(objects).newestTimestamp();
  }

  /** The rows of a table that are not deleted, of some columns or all; sorted as texts. */
  List<List<Object>> rows(String table, String... wanted) throws IOException {
    List<String> some = List.of(wanted);
    try (SnapshotColumns columns =
        SnapshotColumns.open(objects, 2, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
      ChangeCargo live =
          columns.read(
              (name, column) -> name.equals(table) && (some.isEmpty() || some.contains(column)));
      List<List<Object>> rows = new ArrayList<>();
      for (TableChanges changes : live.tables()) {
        for (long row = 0; row < changes.insertedRowCount(); row++) {
          List<Object> values = new ArrayList<>();
          for (InsertedColumn column : changes.insertedColumns()) {
            values.add(Objects.requireNonNullElse(column.values().get(row), "NULL"));
          }
          rows.add(values);
        }
      }
      return sorted(rows);
    }
  }

  /** In the order in which rows are returned, so that equal lists are equal multisets. */
  static List<List<Object>> sorted(List<List<Object>> rows) {
    return rows.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  /** The tables that it has. */
  List<String> tables() throws IOException {
    try (SnapshotColumns columns =
        SnapshotColumns.open(objects, 2, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
      return List.copyOf(columns.tables().keySet());
    }
  }

  /** How many entries of the log after one have data: ends of transactions have none. */
  long commitsSince(long snapshot) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    long commits = 0;
    for (long timestamp : catalog.logTimestamps()) {
      if (timestamp > snapshot && !catalog.entry(timestamp).manifest().references().isEmpty()) {
        commits++;
      }
    }
    return commits;
  }

  /** Whether there is data of fragments that are not prepared yet. */
  boolean hasUnpreparedData() throws IOException {
    return files("data").size() > files("fragments").size() + full();
  }

  private long full() throws IOException {
    return files("data").stream().filter(each -> each.toString().contains("-rows-")).count()
        + files("data").stream().filter(each -> each.toString().contains("-history-")).count();
  }

  /** What lies in a part of its store. */
  List<Path> files(String part) throws IOException {
    Path root = folder.resolve("store").resolve(part);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Override
  public void close() {
    DrayageSession.closeAll();
    end.run();
  }
}
