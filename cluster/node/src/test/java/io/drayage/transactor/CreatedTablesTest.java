package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LoadMode;
import io.drayage.frame.Fault;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.SnapshotReplay;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.store.Columns;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.ChangeKind;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables that are added to an existing database, over the loopback transport. */
@Timeout(120)
class CreatedTablesTest {
  private static final TableSchema SALES =
      TableSchema.of(
          "sales",
          ColumnSchema.of("price", ColumnType.INT),
          ColumnSchema.nullable("note", ColumnType.STRING));

  @TempDir private Path folder;
  @AutoClose private TestCluster cluster;
  private TransactorNode primary;
  private Worker worker;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(folder.resolve("store"));
    primary = cluster.primary("t1");
    worker = cluster.worker("w1");
  }

  @Test
  void everyNodeHasATableSinceTheCommitThatAddedIt() throws Exception {
    TransactorNode standby = cluster.transactor("t2");
    Worker follower =
        cluster.worker(
            new WorkerOptions("w2").withPatience(TestCluster.PATIENCE).withLoad(LoadMode.STORE));
    StoreSnapshot before = worker.snapshot();

    long added = worker.commit(selling(worker, 5, 6)).timestamp();

    assertThat(before.has("sales")).isFalse();
    assertThat(follower.awaitSnapshot(added, TestCluster.PATIENCE)).isTrue();
    Waiting.await(() -> standby.snapshot().timestamp() >= added);
    for (StoreSnapshot each :
        List.of(worker.snapshot(), follower.snapshot(), primary.snapshot(), standby.snapshot())) {
      assertThat(prices(each)).containsExactly(5, 6);
      assertThat(each.table("sales").schema()).isEqualTo(SALES);
    }
    assertThat(new SnapshotCatalog(cluster.objects).entry(added).manifest().newTables())
        .containsExactly(SALES);
    // The same for a node that begins with an earlier full snapshot, or takes over.
    assertThat(prices(cluster.worker("w3").snapshot())).containsExactly(5, 6);
    primary.close();
    long next = follower.commit(selling(follower, 7)).timestamp();
    Waiting.await(() -> standby.snapshot().timestamp() >= next);
    assertThat(standby.isPrimary()).isTrue();
    assertThat(prices(standby.snapshot())).containsExactly(5, 6, 7);
    assertIntact(cluster.objects);
  }

  @Test
  void aFeedTellsOfTheTableWithItsFirstRows() throws Exception {
    try (ChangeFeed feed =
        ChangeFeed.openNewest(new WorkerOptions("feed"), cluster.coordination(), cluster.objects)) {
      worker.commit(selling(worker, 5));
      worker.commit(selling(worker, 6));

      CommittedChange first = feed.next(TestCluster.PATIENCE);
      assertThat(first.newTables()).containsExactly(SALES);
      assertThat(rows(first)).containsExactly("INSERT 0 {price=5, note=null}");
      CommittedChange second = feed.next(TestCluster.PATIENCE);
      assertThat(second.newTables()).isEmpty();
      assertThat(rows(second)).containsExactly("INSERT 1 {price=6, note=null}");
    }
  }

  @Test
  void columnsOfATableAreReadFromTheLogThatAddedIt() throws Exception {
    long before = worker.snapshot().timestamp();
    worker.commit(selling(worker, 5));
    worker.commit(selling(worker, 6));
    try (SnapshotColumns columns = open(OptionalLong.empty());
        SnapshotColumns earlier = open(OptionalLong.of(before))) {
      assertThat(columns.tables()).containsEntry("sales", SALES.columns());
      assertThat(earlier.tables()).doesNotContainKey("sales");
      ChangeCargo prices =
          columns.read((table, column) -> table.equals("sales") && column.equals("price"));
      assertThat(CargoDigest.of(prices))
          .isEqualTo(
              CargoDigest.of(
                  worker
                      .snapshot()
                      .liveRows(
                          (table, column) -> table.equals("sales") && column.equals("price"))));
      assertThat(columns.read((table, column) -> table.equals("events")).tables())
          .extracting(table -> table.table())
          .containsExactly("events");
    }
  }

  @Test
  void aCopyAndARestoredDatabaseHaveIt() throws Exception {
    worker.commit(selling(worker, 5));
    try (ObjectStore copy = ObjectStores.open("fs:" + folder.resolve("copy"));
        ObjectStore restored = ObjectStores.open("fs:" + folder.resolve("restored"))) {
      SnapshotCopy.Result unused = new SnapshotCopy(cluster.objects, copy).run(Long.MAX_VALUE);
      SnapshotCopy.Result unusedToo = SnapshotCopy.restoring(copy, restored).run(Long.MAX_VALUE);
      for (ObjectStore each : List.of(copy, restored)) {
        assertIntact(each);
        assertThat(
                prices(
                    Replica.read(each, 1, 1 << 28, AllowedCodecs.DATA_ONLY, OptionalLong.empty())))
            .containsExactly(5);
      }
    }
  }

  @Test
  void aStreamRefusesNewTablesByName() throws Exception {
    cluster.useStreams();

    assertFails(
        () -> worker.commit(selling(worker, 5)),
        Fault.REFUSED,
        "the stream pipeline cannot ship a cargo that adds or drops tables, such as 'sales'");
  }

  private SnapshotColumns open(OptionalLong timestamp) throws IOException {
    return SnapshotColumns.open(cluster.objects, 1, AllowedCodecs.DATA_ONLY, timestamp);
  }

  /** Adds the table, unless it is there, and rows of these prices. */
  private static Transaction selling(Worker worker, int... prices) {
    Transaction transaction = worker.begin();
    transaction.createTable(SALES);
    for (int price : prices) {
      transaction.insert("sales", Map.of("price", price));
    }
    return transaction;
  }

  private static List<@Nullable Object> prices(StoreSnapshot snapshot) {
    return Columns.valuesOf(snapshot.table("sales"), "price");
  }

  private static List<String> rows(CommittedChange change) {
    List<String> rows = new ArrayList<>();
    change
        .tables()
        .forEach(
            table ->
                table.<RuntimeException>forEachRow(
                    row -> {
                      ChangeKind kind = row.kind();
                      rows.add(kind + " " + row.row() + " " + row.values());
                    }));
    return rows;
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
