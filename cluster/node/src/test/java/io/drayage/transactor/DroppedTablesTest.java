package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.changes.ChangeTarget;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.frame.Fault;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.SnapshotReplay;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.store.Columns;
import io.drayage.store.FullContents;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are dropped and made again, over the loopback transport. */
@Timeout(120)
class DroppedTablesTest {
  private static final TableSchema SALES =
      TableSchema.of(
          "sales",
          ColumnSchema.of("price", ColumnType.INT),
          ColumnSchema.nullable("note", ColumnType.STRING));

  private static final TableSchema OTHER =
      TableSchema.of("sales", ColumnSchema.of("id", ColumnType.LONG));

  private static final int STEPS = 40;
  private static final int FULL_EVERY = 15;

  @TempDir private Path folder;
  @AutoClose private TestCluster cluster;
  private TransactorNode primary;
  private Worker worker;

  private void start(int fullEvery) throws Exception {
    cluster = new TestCluster(folder.resolve("store"));
    primary =
        cluster.primary(
            TestCluster.options("t1", TestCluster.LIMITS, fullEvery, TestCluster.PATIENCE));
    worker = cluster.worker("w1");
  }

  @Test
  void everyNodeHasWhatReplacesATable() throws Exception {
    start(1_000);
    TransactorNode standby = cluster.transactor("t2");
    worker.commit(selling(worker, 5, 6));
    Transaction late = worker.begin();
    late.insert("sales", Map.of("price", 7));
    try (ChangeFeed feed =
        ChangeFeed.openNewest(new WorkerOptions("feed"), cluster.coordination(), cluster.objects)) {
      long replaced = worker.commit(replacing(worker, 1, 2)).timestamp();

      CommittedChange change = feed.next(TestCluster.PATIENCE);
      assertThat(change.droppedTables()).containsExactly("sales");
      assertThat(change.newTables()).containsExactly(OTHER);
      List<String> rows = new ArrayList<>();
      change
          .tables()
          .forEach(
              table ->
                  table.<RuntimeException>forEachRow(
                      row -> rows.add(row.kind() + " " + row.row() + " " + row.values())));
      assertThat(rows).containsExactly("INSERT 0 {id=1}", "INSERT 1 {id=2}");
      StringWriter lines = new StringWriter();
      try (ChangeTarget target = ChangeTarget.lines("sales", false, null, lines)) {
        target.begin(feed.database(), feed.snapshot());
        target.write(change);
      }
      assertThat(lines.toString())
          .containsPattern(
              "\"begin\".*\n.*\"drop\".*,\"table\":\"sales\"}\n.*\"insert\".*\n.*\"insert\"")
          .contains("\"rows\":2}");
      assertThat(new SnapshotCatalog(cluster.objects).entry(replaced).manifest().droppedTables())
          .containsExactly("sales");
      assertFails(
          () -> worker.commit(late), Fault.CONFLICT, "table 'sales' was dropped by others since");
      Waiting.await(() -> standby.snapshot().timestamp() >= replaced);
      for (StoreSnapshot each :
          List.of(worker.snapshot(), primary.snapshot(), standby.snapshot())) {
        assertThat(Columns.valuesOf(each.table("sales"), "id")).containsExactly(1L, 2L);
        assertThat(each.table("sales").made()).isEqualTo(replaced);
      }
    }
    // The same for a primary that takes over.
    primary.close();
    Transaction drop = worker.begin();
    drop.dropTable("sales");
    long dropped = worker.commit(drop).timestamp();
    Waiting.await(() -> standby.snapshot().timestamp() >= dropped);
    assertThat(standby.snapshot().has("sales")).isFalse();
    assertIntact(cluster.objects);
  }

  @Test
  void severalWorkersReplaceATable() throws Exception {
    start(1_000);
    worker.commit(selling(worker, 5));
    try (DistributedTransaction transaction = cluster.begin("driver");
        FragmentSender sender = cluster.fragments(transaction.handle())) {
      long base = transaction.base();
      List<UUID> fragments = new ArrayList<>();
      fragments.addAll(
          sender.send(
              ChangeCargo.builder(UUID.randomUUID(), base)
                  .dropTable("sales")
                  .newTable(OTHER)
                  .build()));
      for (long id = 1; id <= 3; id++) {
        long[][] values = {{id}};
        fragments.addAll(
            sender.send(
                ChangeCargo.builder(UUID.randomUUID(), base)
                    .newTable(OTHER)
                    .table("sales", sales -> sales.insert("id", ColumnValues.of(values)))
                    .build()));
      }
      long replaced = transaction.commit(fragments).snapshot();
      assertThat(worker.awaitSnapshot(replaced, TestCluster.PATIENCE)).isTrue();
    }

    assertThat(Columns.valuesOf(worker.snapshot().table("sales"), "id"))
        .containsExactly(1L, 2L, 3L);
    assertIntact(cluster.objects);
  }

  /** They do not have the snapshots that made the tables. */
  @Test
  void fullSnapshotsOfEarlierVersionsAreReadAndReplayed() throws Exception {
    start(1_000);
    long made = worker.commit(selling(worker, 5)).timestamp();
    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    SnapshotEntry unused =
        new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("zstd"))
            .write(
                FullContents.toCargo(worker.snapshot(), false),
                catalog.entry(made).position(),
                null,
                1,
                KnownTransactions.committed(
                    Map.of(catalog.entry(made).manifest().transactionId(), made)));

    assertIntact(cluster.objects);
    try (SnapshotColumns columns =
        SnapshotColumns.open(cluster.objects, 1, AllowedCodecs.DATA_ONLY, OptionalLong.of(made))) {
      assertThat(columns.fullTimestamp()).isEqualTo(made);
      assertThat(columns.made("sales")).isZero();
      assertThat(CargoDigest.of(columns.read((table, column) -> true)))
          .isEqualTo(CargoDigest.of(worker.snapshot().liveRows()));
    }
  }

  /** Each snapshot in the store is the one that the worker had in memory. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everySnapshotIsReadByItsNumber(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    start(FULL_EVERY);
    TreeMap<Long, StoreSnapshot> snapshots = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      worker.commit(step(worker.begin(), random));
      snapshots.put(worker.snapshot().timestamp(), worker.snapshot());
    }

    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    long oldest = catalog.fullTimestamps().get(0);
    try (LoadingMarks marks = new LoadingMarks(cluster.objects)) {
      for (StoreSnapshot expected : snapshots.tailMap(oldest, true).values()) {
        long timestamp = expected.timestamp();
        assertRead(expected, random);
        LogPosition to = catalog.entry(timestamp).position();
        for (StoredTable table : expected.tables()) {
          List<StoreSnapshot> earlier =
              List.copyOf(snapshots.subMap(oldest, true, timestamp, true).values());
          StoreSnapshot before = earlier.get(random.nextInt(earlier.size()));
          String name = table.schema().name();
          if (before.has(name)) {
            assertAdvanced(before.table(name), before.timestamp(), table, to, marks);
          }
        }
      }
    }
    try (ObjectStore copy = ObjectStores.open("fs:" + folder.resolve("copy"));
        ObjectStore restored = ObjectStores.open("fs:" + folder.resolve("restored"))) {
      SnapshotCopy.Result unused = new SnapshotCopy(cluster.objects, copy).run(Long.MAX_VALUE);
      SnapshotCopy.Result unusedToo = SnapshotCopy.restoring(copy, restored).run(Long.MAX_VALUE);
      for (ObjectStore each : List.of(cluster.objects, copy, restored)) {
        assertIntact(each);
        StoreSnapshot read =
            Replica.read(each, 1, 1 << 28, AllowedCodecs.DATA_ONLY, OptionalLong.empty());
        assertThat(CargoDigest.of(read.liveRows()))
            .isEqualTo(CargoDigest.of(worker.snapshot().liveRows()));
      }
    }
  }

  private static Transaction step(Transaction edit, SplittableRandom random) {
    String name = random.nextBoolean() ? "a" : "b";
    boolean there = edit.snapshot().has(name);
    int action = random.nextInt(4);
    if (there && action <= 1) {
      edit.dropTable(name);
    }
    if (action == 0 && there) {
      return edit;
    }
    if (!there || action == 1) {
      List<ColumnSchema> columns = new ArrayList<>();
      for (int c = random.nextInt(3); c >= 0; c--) {
        columns.add(
            ColumnSchema.of("c" + c, random.nextBoolean() ? ColumnType.LONG : ColumnType.STRING));
      }
      edit.createTable(new TableSchema(name, columns));
      insert(edit, name, columns, random);
      return edit;
    }
    StoredTable table = edit.snapshot().table(name);
    long row = random.nextLong(table.rowCount());
    if (action == 2 && !table.isDeleted(row)) {
      edit.delete(name, row);
    }
    insert(edit, name, table.schema().columns(), random);
    return edit;
  }

  private static void insert(
      Transaction edit, String name, List<ColumnSchema> columns, SplittableRandom random) {
    Map<String, Object> row = new TreeMap<>();
    for (ColumnSchema column : columns) {
      long value = random.nextLong(1_000);
      row.put(column.name(), column.type() == ColumnType.LONG ? (Object) value : "s" + value);
    }
    edit.insert(name, row);
  }

  private void assertRead(StoreSnapshot expected, SplittableRandom random) throws IOException {
    OptionalLong timestamp = OptionalLong.of(expected.timestamp());
    StoreSnapshot read =
        Replica.read(cluster.objects, 1, 1 << 28, AllowedCodecs.DATA_ONLY, timestamp);
    assertThat(CargoDigest.of(FullContents.toCargo(read)))
        .isEqualTo(CargoDigest.of(FullContents.toCargo(expected)));
    try (SnapshotColumns columns =
        SnapshotColumns.open(cluster.objects, 1, AllowedCodecs.DATA_ONLY, timestamp)) {
      List<BiPredicate<String, String>> selections = new ArrayList<>();
      selections.add((table, column) -> true);
      String table = random.nextBoolean() ? "a" : "b";
      String column = "c" + random.nextInt(3);
      selections.add((each, name) -> each.equals(table));
      selections.add((each, name) -> each.equals(table) && name.equals(column));
      for (BiPredicate<String, String> wanted : selections) {
        assertThat(CargoDigest.of(columns.read(wanted)))
            .isEqualTo(CargoDigest.of(expected.liveRows(wanted)));
      }
      for (StoredTable each : expected.tables()) {
        String name = each.schema().name();
        assertThat(columns.tables()).containsEntry(name, each.schema().columns());
        assertThat(columns.made(name)).isEqualTo(each.made());
        assertThat(columns.size(name).rows()).isGreaterThanOrEqualTo(each.liveRowCount());
        assertThat(columns.size(name).rows()).isLessThanOrEqualTo(each.rowCount());
      }
      assertThat(columns.tables()).hasSameSizeAs(expected.tables());
    }
  }

  /** Advances the columns that are still there under their names. */
  private void assertAdvanced(
      StoredTable before, long from, StoredTable after, LogPosition to, LoadingMarks marks)
      throws IOException {
    Set<String> common = new TreeSet<>();
    after.schema().columns().forEach(column -> common.add(column.name()));
    common.removeIf(column -> before.schema().indexOf(column) < 0);
    if (common.isEmpty()) {
      return;
    }
    List<StoredColumn> some = common.stream().map(before::column).toList();
    TableSchema schema =
        new TableSchema(after.schema().name(), some.stream().map(StoredColumn::schema).toList());
    StoredTable earlier = new StoredTable(schema, before.rowCount(), before.deleted(), some);
    try (SnapshotColumns columns =
        SnapshotColumns.since(cluster.objects, marks, 1, AllowedCodecs.DATA_ONLY, to, from)) {
      StoredTable advanced = columns.advance(earlier, from);
      assertThat(advanced.rowCount()).isEqualTo(after.rowCount());
      for (String column : common) {
        for (long row = 0; row < after.rowCount(); row++) {
          assertThat(advanced.isDeleted(row)).isEqualTo(after.isDeleted(row));
          if (!after.isDeleted(row)) {
            assertThat(advanced.get(column, row)).isEqualTo(after.get(column, row));
          }
        }
      }
    }
  }

  private static Transaction selling(Worker worker, int... prices) {
    Transaction transaction = worker.begin();
    transaction.createTable(SALES);
    for (int price : prices) {
      transaction.insert("sales", Map.of("price", price));
    }
    return transaction;
  }

  private static Transaction replacing(Worker worker, long... ids) {
    Transaction transaction = worker.begin();
    transaction.dropTable("sales");
    transaction.createTable(OTHER);
    for (long id : ids) {
      transaction.insert("sales", Map.of("id", id));
    }
    return transaction;
  }

  /** Verifies every entry, and replays it. */
  private static void assertIntact(ObjectStore store) throws IOException {
    StoreFiller.assertIntact(new SnapshotCatalog(store));
    assertThat(
            new SnapshotReplay(store, 1, AllowedCodecs.DATA_ONLY)
                .run(OptionalLong.empty(), found -> assertThat(found.error()).isNull())
                .wrong())
        .isZero();
  }
}
