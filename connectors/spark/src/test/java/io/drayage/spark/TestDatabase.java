package io.drayage.spark;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.spark.database.Shared;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * A database with its ZooKeeper in this process and its store in a folder. Its transactors are in
 * this process, or in separate processes.
 */
public final class TestDatabase implements AutoCloseable {
  private final Path folder;
  private final EmbeddedZooKeeper zookeeper;
  private final String beacons;
  private final ObjectStore objects;

  /** Transactors in separate processes, by name. */
  private final Map<String, Process> processes = new ConcurrentHashMap<>();

  /** All separate processes. */
  private final Queue<Process> started = new ConcurrentLinkedQueue<>();

  private final Coordination coordination;
  private final Runnable end;

  TestDatabase(Path folder) throws IOException {
    this(folder, 0);
  }

  /** Creates a database with its ZooKeeper at a port, which another database may have used. */
  TestDatabase(Path folder, int port) throws IOException {
    this(folder, port, List.of(), TransactorOptions.DEFAULT_FULL_SNAPSHOT_EVERY);
  }

  /** Creates a database with a full snapshot after so many entries of the log. */
  public static TestDatabase of(Path folder, int fullSnapshotEvery) throws IOException {
    return new TestDatabase(folder, 0, List.of(), fullSnapshotEvery);
  }

  /** Creates a database with two transactors that can be killed, and none in this process. */
  static TestDatabase ofProcesses(Path folder) throws IOException {
    return new TestDatabase(folder, 0, List.of("transactor-1", "transactor-2"), 0);
  }

  /**
   * @param port of ZooKeeper; 0 for any
   * @param others transactors in separate processes; without them, one is in this process
   */
  private TestDatabase(Path folder, int port, List<String> others, int fullSnapshotEvery)
      throws IOException {
    this.folder = folder;
    try (Begun begun = new Begun()) {
      this.zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), port);
      begun.add(zookeeper::close);
      this.beacons = Files.createDirectory(folder.resolve("beacons")).toString();
      this.objects = ObjectStores.open(store());
      begun.add(objects::close);
      this.coordination = connect();
      begun.add(coordination::close);
      begun.add(this::endProcesses);
      for (String other : others) {
        start(other);
        Beacon.await("a primary", () -> coordination.published().isPresent());
      }
      if (others.isEmpty()) {
        begun.add(transactor(fullSnapshotEvery)::close);
      }
      this.end = begun.keep();
    }
  }

  /** Opens another session of its ZooKeeper. */
  public Coordination connect() throws IOException {
    return ZooKeeperCoordination.connect(ZooKeeperOptions.of(zookeeper.servers()));
  }

  private TransactorNode transactor(int fullSnapshotEvery) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return TransactorNode.start(
        TransactorOptions.builder("transactor-here", address)
            .fullSnapshotEvery(fullSnapshotEvery)
            .build(),
        coordination,
        objects,
        NettyTransport.best(),
        commit -> {},
        new DrayageMetrics());
  }

  /** Starts a JVM that ends with this object. */
  Process start(Class<?> main, String... arguments) throws IOException {
    Process process = SparkJvm.start(main, folder, List.of(arguments));
    started.add(process);
    return process;
  }

  /** Starts or restarts a transactor in a separate process. */
  void start(String name) throws IOException {
    processes.put(name, start(SparkTransactorMain.class, name, servers(), store(), beacons));
  }

  /** Starts a {@link SparkDriver}. */
  Process drive(SparkDriver.Work work, String master, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of(servers(), store(), beacons, master, work.name()));
    arguments.addAll(List.of(more));
    return start(SparkDriver.class, arguments.toArray(String[]::new));
  }

  /** Fails if a process has ended by itself. */
  void requireProcesses() {
    processes.forEach(
        (name, process) -> {
          if (!process.isAlive()) {
            throw new AssertionError(name + " has ended by itself: " + process.exitValue());
          }
        });
  }

  /** Kills all processes. */
  void endProcesses() {
    for (Process process : started) {
      List<ProcessHandle> executors = process.descendants().toList();
      process.destroyForcibly();
      executors.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Returns the name of the primary. */
  String primary() throws IOException {
    return coordination.primary().orElseThrow().node().name();
  }

  /** Returns the process of a transactor. */
  Process process(String name) {
    return Objects.requireNonNull(processes.get(name));
  }

  /** Returns the folder of {@link Beacon}s. */
  String beacons() {
    return beacons;
  }

  /** Returns the store. */
  public ObjectStore objects() {
    return objects;
  }

  /** Returns the addresses of ZooKeeper. */
  public String servers() {
    return zookeeper.servers();
  }

  /** Returns the name of the store. */
  public String store() {
    return "fs:" + folder.resolve("store");
  }

  /** Makes it a catalog of a session. */
  public void addTo(SparkSession spark, String catalog) {
    addTo(spark, catalog, store());
  }

  /** Makes it a catalog with the name of another store. */
  void addTo(SparkSession spark, String catalog, String store) {
    String name = "spark.sql.catalog." + catalog;
    spark.conf().set(name, DrayageCatalog.class.getName());
    spark.conf().set(name + ".zookeeper", servers());
    spark.conf().set(name + ".store", store);
  }

  /** Creates the table for a {@link SparkDriver}. */
  void makeTable(String table) {
    SparkSession spark = LocalSpark.session().newSession();
    addTo(spark, "d");
    spark.sql("CREATE TABLE d.%s (id BIGINT, proof BIGINT, filler STRING)".formatted(table));
  }

  UUID id() throws IOException {
    return new SnapshotCatalog(objects).database().orElseThrow();
  }

  long newest() throws IOException {
    return new SnapshotCatalog(objects).newestTimestamp();
  }

  /** Returns the live rows of a table, with some or all columns, sorted as texts. */
  List<List<Object>> rows(String table, String... wanted) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    forEachRow(table, rows::add, wanted);
    return sorted(rows);
  }

  /** Passes each of these rows on, in any order. */
  void forEachRow(String table, Consumer<List<Object>> to, String... wanted) throws IOException {
    List<String> some = List.of(wanted);
    try (SnapshotColumns snapshot =
        SnapshotColumns.open(objects, 2, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
      ChangeCargo live =
          snapshot.read(
              (name, column) -> name.equals(table) && (some.isEmpty() || some.contains(column)));
      for (TableChanges changes : live.tables()) {
        int rows = Math.toIntExact(changes.insertedRowCount());
        List<ColumnValues> columns =
            changes.insertedColumns().stream().map(each -> each.values().pinned(0, rows)).toList();
        for (int row = 0; row < rows; row++) {
          List<Object> values = new ArrayList<>();
          for (ColumnValues column : columns) {
            values.add(Objects.requireNonNullElse(column.get(row), "NULL"));
          }
          to.accept(values);
        }
      }
    }
  }

  /** Sorts rows, so that equal lists are equal multisets. */
  static List<List<Object>> sorted(List<List<Object>> rows) {
    return rows.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  /** Returns the names of its tables. */
  List<String> tables() throws IOException {
    try (SnapshotColumns columns =
        SnapshotColumns.open(objects, 2, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
      return List.copyOf(columns.tables().keySet());
    }
  }

  /** Returns the commits of entries of the log after one, in their order. */
  List<SnapshotManifest> committedSince(long snapshot) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    List<SnapshotManifest> committed = new ArrayList<>();
    for (long first : catalog.logObjects()) {
      for (SnapshotEntry entry : catalog.read(SnapshotKeys.Place.entry(first))) {
        SnapshotManifest manifest = entry.manifest();
        if (manifest.timestamp() > snapshot && manifest.kind() instanceof SnapshotKind.Commit) {
          committed.add(manifest);
        }
      }
    }
    return committed;
  }

  /**
   * Deletes data of transactions without records, as a cleaner does in an hour.
   *
   * @return the number of deleted objects
   */
  int deleteAnHourLater() throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    long[] nowNs = {0};
    Duration age = Duration.ofHours(1);
    SnapshotCleaner cleaner = new SnapshotCleaner(catalog, () -> nowNs[0]);
    TransactionCleaner transactions = new TransactionCleaner(catalog, () -> nowNs[0]);
    int deleted = 0;
    for (int round = 0; round < 2; round++) {
      deleted += transactions.deleteEnded(unused -> OptionalLong.empty(), age);
      deleted += cleaner.deleteUnreferenced(age, 0, transactions::references);
      deleted += cleaner.deleteUnfinished(age);
      nowNs[0] += age.toNanos() + 1;
    }
    return deleted;
  }

  /** Returns the keys of data that no entry and no full snapshot needs. */
  List<String> unreferencedData() throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    Set<String> needed = new HashSet<>();
    for (SnapshotKeys.Place place : catalog.places()) {
      for (SnapshotEntry entry : catalog.read(place)) {
        entry.manifest().references().forEach(bytes -> needed.add(bytes.key()));
      }
    }
    return objects.list(SnapshotKeys.DATA).stream()
        .map(StoredObject::key)
        .filter(key -> !needed.contains(key))
        .toList();
  }

  /** Whether there is data of fragments that are not prepared yet. */
  boolean hasUnpreparedData() throws IOException {
    return files("data").stream()
            .filter(each -> !each.toString().matches(".*-(rows|history)-.*"))
            .count()
        > files("fragments").size();
  }

  /** Returns the files in a part of its store. */
  List<Path> files(String part) throws IOException {
    Path root = folder.resolve("store").resolve(part);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Ends the cluster, while sessions of this process stay open. */
  void closeCluster() {
    end.run();
  }

  @Override
  public void close() {
    Shared.closeAll();
    closeCluster();
  }
}
