package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.AppCommit;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Tests transactions of several cargoes, while others commit. */
class TransactionBuildTest extends StoreFixture {
  TransactionBuildTest() {
    super(SALES, STOCK);
  }

  @Test
  void cargoesTakeEffectTogetherInTheirOrder() throws Exception {
    ChangeCargo first = cargo(edit -> insert(edit, 1, 2));
    ChangeCargo second =
        cargo(
            edit -> {
              insert(edit, 3);
              edit.update("sales", "price", 4, 40);
            });
    ChangeCargo third = cargo(edit -> edit.delete("stock", 5));
    TransactionBuild build = begin();
    for (ChangeCargo cargo : List.of(first, second, third)) {
      build.add(cargo);
      assertThat(store.snapshot()).as("nothing is visible").isSameAs(base);
    }

    assertThat(store.commit(build)).isEqualTo(1);

    StoredTable sales = store.snapshot().table("sales");
    assertThat(List.of(sales.get("price", 10), sales.get("price", 11), sales.get("price", 12)))
        .containsExactly(1, 2, 3);
    assertThat(sales.get("price", 4)).isEqualTo(40);
    assertThat(store.snapshot().table("stock").isDeleted(5)).isTrue();
    assertThat(store.timestampOf(ID)).hasValue(1);
    Replays.replay(copy, ID, 1, build.digest(), first, second, third);
    assertSame(copy, store);
    assertThat(store.lastApplied().rows()).isEqualTo(copy.lastApplied().rows());
    assertThatThrownBy(
            () -> {
              MemoryStore other = new MemoryStore();
              other.createTable(SALES, 10);
              other.createTable(STOCK, 10);
              Replays.replay(other, ID, 1, build.digest(), second, first, third);
            })
        .as("the order counts")
        .isInstanceOf(AppliedDiffersException.class);
  }

  /** Otherwise it could be committed again, and its end would count as one without effect. */
  @Test
  void isKnownByItsOwnNameThoughItHasOneCargo() throws Exception {
    ChangeCargo only = cargo(edit -> insert(edit, 1));
    TransactionBuild build = begin();
    build.add(only);
    assertThat(only.transactionId()).isNotEqualTo(ID);

    assertThat(store.commit(build)).isEqualTo(1);

    assertThat(store.endOf(ID)).hasValue(1);
    assertThat(store.lastApplied().transactionId()).isEqualTo(ID);
    assertThat(store.commit(begin())).isEqualTo(1);
    Replays.replay(copy, ID, 1, build.digest(), only);
    assertThat(copy.endOf(ID)).hasValue(1);
    assertThat(copy.endOf(only.transactionId())).isEmpty();
  }

  /** No other commit is possible during the last rebase onto the newest snapshot. */
  @Test
  void onlyCellsOfPagesThatOthersChangedTooAreWrittenAgain() throws Exception {
    int pages = 10;
    int page = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    MemoryStore large = new MemoryStore();
    MemoryStore replica = new MemoryStore();
    for (MemoryStore each : List.of(large, replica)) {
      each.createTable(SALES, (long) pages * page);
    }
    StoreSnapshot begun = large.snapshot();
    TransactionBuild build =
        large.begin(named(ID, 0), OnConflict.REJECT, false, MemoryLimit.NONE, 0);
    ChangeCargo own =
        cargo(
            begun,
            edit -> {
              for (int row = 0; row < pages * page; row += 100) {
                edit.update("sales", "price", row, row);
              }
              edit.delete("sales", 7);
              insert(edit, 1, 2);
            });
    build.add(own);
    ChangeCargo early =
        cargo(
            begun,
            edit -> {
              for (int p = 0; p < pages; p++) {
                edit.update("sales", "price", (long) p * page + 1, -1);
              }
            });
    large.commit(early);
    large.catchUp(build);
    long caughtUp = build.cellsWrittenAgain();
    assertThat(caughtUp).isEqualTo((pages * page + 99) / 100);
    ChangeCargo late =
        cargo(
            large.snapshot(),
            edit -> {
              edit.update("sales", "price", 3L * page + 1, -2);
              edit.update("sales", "note", 100, "theirs");
              edit.delete("sales", 9);
              insert(edit, 3);
            });
    large.commit(late);

    assertThat(large.commit(build)).isEqualTo(3);

    assertThat(build.cellsWrittenAgain() - caughtUp).isBetween(1L, page / 100 + 1L);
    StoredTable sales = large.snapshot().table("sales");
    assertThat(sales.get("price", 300)).isEqualTo(300);
    assertThat(sales.get("price", 3L * page + 1)).isEqualTo(-2);
    assertThat(sales.get("price", page + 1)).isEqualTo(-1);
    Replays.replay(replica, early, 1, null);
    Replays.replay(replica, late, 2, null);
    Replays.replay(replica, ID, 3, build.digest(), own);
    assertSame(replica, large);
    assertThat(large.lastApplied().digest()).isEqualTo(replica.lastApplied().digest());
  }

  @Test
  void isBroughtOntoTheSnapshotThatReplacedAnUndoneOne() throws Exception {
    store.commit(cargo(edit -> insert(edit, 100)));
    TransactionBuild build = begin();
    ChangeCargo own =
        cargo(
            edit -> {
              insert(edit, 1);
              edit.update("stock", "count", 1, 11L);
            });
    build.add(own);
    store.reset(base); // The commit could not be stored.
    ChangeCargo stored =
        cargo(
            edit -> {
              insert(edit, 200, 201);
              edit.update("stock", "count", 2, 22L);
            });
    store.commit(stored);

    assertThat(store.commit(build)).isEqualTo(2);

    Replays.replay(copy, stored, 1, null);
    Replays.replay(copy, ID, 2, build.digest(), own);
    assertSame(copy, store);
    assertThat(store.lastApplied().rows()).isEqualTo(copy.lastApplied().rows());
  }

  @Test
  void pagesThatManyCargoesRewriteAreNotCountedForEach() throws Exception {
    store.commit(
        cargo(
            edit -> {
              for (int row = 0; row < 1_000; row++) {
                edit.insert("stock", Map.of("count", 1L));
              }
            }));
    base = store.snapshot();
    long usedBytes = base.memoryBytes();
    MemoryLimit limit = new MemoryLimit(2 * usedBytes, 4 * usedBytes);
    TransactionBuild build =
        store.begin(named(ID, base.timestamp()), OnConflict.REJECT, false, limit, 0);

    for (int worker = 0; worker < 40; worker++) {
      int row = 10 + worker;
      build.add(cargo(edit -> edit.update("stock", "count", row, 2L)));
    }

    assertThat(store.commit(build)).isEqualTo(2);
    assertThat(store.lastCopiedBytes()).isBetween(1L, usedBytes);
  }

  @Test
  void refusesCellsThatOthersChangedMeanwhile() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(edit -> edit.update("sales", "price", 4, 40)));
    build.add(cargo(edit -> insert(edit, 1)));
    store.commit(cargo(edit -> edit.update("sales", "price", 4, 41)));

    assertFails(
        () -> store.commit(build),
        Fault.CONFLICT,
        "1 row (4) to be updated were updated by others since snapshot 0");
    assertThat(store.snapshot().timestamp()).isEqualTo(1);
    assertThat(store.endOf(ID)).isEmpty();
  }

  @Test
  void refusesCellsThatTwoCargoesUpdate() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(edit -> edit.update("sales", "price", 4, 40)));
    build.add(cargo(edit -> edit.update("sales", "note", 4, "another column")));

    assertFails(
        () -> build.add(cargo(edit -> edit.update("sales", "price", 4, 41))),
        Fault.REJECTED,
        "column 'price' of table 'sales': 1 row (4) are updated by two cargoes");
  }

  @Test
  void anUpdateAndADeleteOfARowDeleteIt() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(edit -> edit.update("sales", "price", 4, 40)));
    build.add(
        cargo(
            edit -> {
              edit.delete("sales", 4);
              edit.delete("sales", 5);
            }));
    build.add(cargo(edit -> edit.update("sales", "price", 5, 50)));
    build.add(cargo(edit -> edit.delete("sales", 5)));

    store.commit(build);

    assertThat(store.snapshot().table("sales").isDeleted(4)).isTrue();
    assertThat(store.snapshot().table("sales").isDeleted(5)).isTrue();
    assertThat(store.snapshot().table("sales").liveRowCount()).isEqualTo(8);
  }

  @Test
  void aSerializableTransactionInsertsOnlyWhereNobodyElseDid() throws Exception {
    TransactionBuild elsewhere = begin(true);
    elsewhere.add(cargo(edit -> insert(edit, 1)));
    LoggedTransaction next = named(new UUID(8, 8), 0);
    TransactionBuild early = store.begin(next, OnConflict.OVERWRITE, true, MemoryLimit.NONE, 0);
    early.add(cargo(edit -> insert(edit, 1)));
    store.commit(cargo(edit -> edit.insert("stock", Map.of("count", 1L))));
    assertThat(store.commit(elsewhere)).isEqualTo(2);

    String message = "others have inserted 1 rows since snapshot 0, and the transaction is seriali";
    assertFails(() -> store.commit(early), Fault.CONFLICT, message);
    TransactionBuild late = store.begin(next, OnConflict.OVERWRITE, true, MemoryLimit.NONE, 0);
    assertFails(() -> late.add(cargo(edit -> insert(edit, 1))), Fault.CONFLICT, message);
  }

  @Test
  void anEndWithoutEffectIsKnownAndFinal() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(edit -> insert(edit, 1)));

    assertThat(store.end(ID)).isEqualTo(-1);

    assertThat(store.end(ID)).isEqualTo(-1);
    assertThat(store.timestampOf(ID)).isEmpty();
    assertFails(() -> store.commit(build), Fault.REJECTED, "has ended without effect");
    assertFails(
        () -> store.commit(cargo(edit -> insert(edit, 2)).as(ID, 0)),
        Fault.REJECTED,
        "has ended without effect");
    copy.replayEnd(ID, 1);
    assertThat(copy.known()).isEqualTo(store.known());
    store.reset(base);
    assertThat(store.endOf(ID)).isEmpty();
  }

  @Test
  void theNewestVersionOfAnApplicationIsKnown() throws Exception {
    commitAs(new UUID(1, 1), AppVersion.of("load", 3, "sales"));
    StoreSnapshot third = store.snapshot();
    commitAs(new UUID(1, 2), AppVersion.of("load", 4, "sales"));
    assertThat(store.newestOf("load"))
        .containsExactly(new AppCommit(AppVersion.of("load", 4, "sales"), "w", 2));

    store.reset(third);

    assertThat(store.newestOf("load"))
        .containsExactly(new AppCommit(AppVersion.of("load", 3, "sales"), "w", 1));
    MemoryStore restarted =
        new MemoryStore(third, store.known(), ForkJoinPool.commonPool(), 1, 1 << 20);
    assertThat(restarted.newestOf("load")).containsExactlyElementsOf(store.newestOf("load"));
    assertThat(restarted.newestOf("other")).isEmpty();
  }

  @Test
  void anApplicationsVersionCountsForTheTablesThatChange() throws Exception {
    AppVersion app = AppVersion.of("load", 3, "sales");
    TransactionBuild build = begin(ID, app);
    build.add(cargo(edit -> insert(edit, 1)));
    TableSchema more = TableSchema.of("more", ColumnSchema.of("c", ColumnType.INT));

    assertFails(
        () -> build.add(cargo(edit -> edit.update("stock", "count", 0, 5L))),
        Fault.REJECTED,
        "table 'stock' cannot be changed under version 3 of application 'load', which counts for"
            + " [sales]");
    assertFails(
        () -> build.add(cargo(edit -> edit.createTable(more))),
        Fault.REJECTED,
        "table 'more' cannot be changed");
  }

  private TransactionBuild begin(UUID id, AppVersion app) throws ShipmentException {
    LoggedTransaction transaction = new LoggedTransaction(id, 0, "w", app);
    return store.begin(transaction, OnConflict.REJECT, false, MemoryLimit.NONE, 0);
  }

  private void commitAs(UUID id, AppVersion app) throws ShipmentException {
    TransactionBuild build = begin(id, app);
    build.add(cargo(edit -> insert(edit, 1)));
    long unused = store.commit(build);
  }

  /** Uses several pages and a limit of memory, and compares the sizes with a new measurement. */
  @Test
  void mergedPagesAreThoseOfWhoeverChangedThem() throws Exception {
    int page = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    int rows = 4 * page + 17;
    MemoryStore large = new MemoryStore();
    MemoryStore replica = new MemoryStore();
    for (MemoryStore each : List.of(large, replica)) {
      each.createTable(SALES, rows);
    }
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StoreSnapshot begun = large.snapshot();
      long unusedBytes = begun.memoryBytes();
      UUID id = new UUID(11, seed);
      MemoryLimit limit = new MemoryLimit(1L << 40, 1L << 40);
      TransactionBuild build =
          large.begin(named(id, begun.timestamp()), OnConflict.OVERWRITE, false, limit, 0);
      List<ChangeCargo> cargoes = new ArrayList<>();
      for (int part = 0; part < 3; part++) {
        ChangeCargo cargo = cargo(begun, edit -> change(edit, random));
        try {
          build.add(cargo);
        } catch (ShipmentException e) {
          assertThat(e.fault()).isEqualTo(Fault.REJECTED); // The same cell twice.
          continue;
        }
        cargoes.add(cargo);
        for (int i = random.nextInt(3); i > 0; i--) {
          ChangeCargo other = cargo(large.snapshot(), edit -> change(edit, random));
          large.commit(other);
          Replays.replay(replica, other, large.snapshot().timestamp(), null);
        }
        if (random.nextBoolean()) {
          large.catchUp(build);
        }
      }
      long timestamp = large.commit(build);
      Replays.replay(replica, id, timestamp, build.digest(), cargoes.toArray(ChangeCargo[]::new));
      assertThat(large.lastApplied().digest())
          .as("seed %d", seed)
          .isEqualTo(replica.lastApplied().digest());
      for (String column : List.of("price", "note")) {
        StoredColumn merged = large.snapshot().table("sales").column(column);
        StoredColumn replayed = replica.snapshot().table("sales").column(column);
        assertThat(CargoDigest.ofColumn(merged.rowsFrom(0)))
            .as("seed %d, %s", seed, column)
            .isEqualTo(CargoDigest.ofColumn(replayed.rowsFrom(0)));
      }
      assertThat(large.snapshot().table("sales").deleted().count())
          .isEqualTo(replica.snapshot().table("sales").deleted().count());
    }
  }

  private static void change(Transaction edit, SplittableRandom random) {
    long rows = edit.rowCount("sales"); // Includes the rows that others have inserted meanwhile.
    int page = random.nextInt(5) * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    for (int i = random.nextInt(4); i > 0; i--) {
      long row = Math.min(rows - 1, page + random.nextInt(1_000));
      if (edit.isDeleted("sales", row)) {
        continue;
      }
      edit.update("sales", "price", row, random.nextInt());
      edit.update(
          "sales", "note", row, random.nextBoolean() ? null : "n".repeat(random.nextInt(9)));
    }
    insert(edit, random.nextInt(100));
    long row = Math.min(rows - 1, page + 5_000 + random.nextInt(900));
    if (random.nextInt(3) == 0 && !edit.isDeleted("sales", row)) {
      edit.delete("sales", row);
    }
  }

  private static void insert(Transaction edit, int... prices) {
    for (int price : prices) {
      edit.insert("sales", Map.of("price", price, "note", "n" + price));
    }
  }
}
