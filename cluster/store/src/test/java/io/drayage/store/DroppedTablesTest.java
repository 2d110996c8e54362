package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Tests tables that transactions drop, and perhaps make again. */
class DroppedTablesTest extends StoreFixture {
  /** A table of the same name with other columns. */
  private static final TableSchema OTHER =
      TableSchema.of("sales", ColumnSchema.of("id", ColumnType.LONG));

  private static final String DROPPED = "table 'sales' was dropped by others since snapshot 0";

  DroppedTablesTest() {
    super(SALES, STOCK);
  }

  @Test
  void aDroppedTableIsGoneWithItsRows() throws Exception {
    ChangeCargo cargo = cargo(edit -> edit.dropTable("sales"));

    assertThat(store.commit(cargo)).isEqualTo(1);

    assertThat(store.snapshot().tables()).extracting(StoredTable::schema).containsExactly(STOCK);
    assertThat(base.has("sales")).isTrue();
    AppliedChanges changes = store.lastApplied();
    assertThat(changes.droppedTables()).containsExactly("sales");
    assertThat(changes.digest()).isEqualTo(CargoDigest.of(cargo));
    Replays.replay(copy, cargo, 1, changes.appliedDigest(cargo));
    assertSame(copy, store);
    assertLoaded(store);
    assertThat(store.commit(cargo)).as("sent again").isEqualTo(1);
  }

  @Test
  void aTableThatIsMadeAgainIsAnotherOne() throws Exception {
    ChangeCargo cargo = cargo(edit -> replace(edit, 5, 6));

    store.commit(cargo);

    StoredTable sales = store.snapshot().table("sales");
    assertThat(sales.schema()).isEqualTo(OTHER);
    assertThat(Columns.valuesOf(sales, "id")).containsExactly(5L, 6L);
    assertThat(sales.made()).isEqualTo(1);
    assertThat(base.table("sales").made()).isZero();
    assertThat(store.lastApplied().rows())
        .containsExactly(new AppliedChanges.ChangedRows("sales", 2, 0, 0));
    Replays.replay(copy, cargo, 1, store.lastApplied().appliedDigest(cargo));
    assertSame(copy, store);
    assertLoaded(store);
    // Rows of the new table are changed as usual.
    ChangeCargo next = cargo(store.snapshot(), edit -> edit.update("sales", "id", 0, 7L));
    store.commit(next);
    Replays.replay(copy, next, 2, store.lastApplied().appliedDigest(next));
    assertSame(copy, store);
    assertThat(store.snapshot().table("sales").made()).isEqualTo(1);
  }

  @Test
  void whoeverChangedTheTableBeforeItsDropWins() throws Exception {
    ChangeCargo drop = cargo(edit -> edit.dropTable("sales"));
    ChangeCargo replace = cargo(edit -> replace(edit, 1));
    store.commit(cargo(edit -> edit.insert("sales", Map.of("price", 5))));

    String changed = "table 'sales' is to be dropped, and was changed by others since snapshot 0";
    assertFails(() -> store.commit(drop), Fault.CONFLICT, changed);
    assertFails(() -> store.commit(replace), Fault.CONFLICT, changed);
    assertThat(store.snapshot().table("sales").rowCount()).isEqualTo(11);
    assertThat(store.commit(replace, OnConflict.OVERWRITE)).isEqualTo(2);
    assertThat(store.snapshot().table("sales").rowCount()).isEqualTo(1);
    // Changes of other tables are no conflict.
    store.commit(cargo(edit -> edit.dropTable("stock")));
  }

  @Test
  void aCargoForADroppedTableIsAConflictEvenIfTheTableIsMadeAgain() throws Exception {
    ChangeCargo insert = cargo(edit -> edit.insert("sales", Map.of("price", 5)));
    ChangeCargo update = cargo(edit -> edit.update("sales", "price", 3, 5));
    ChangeCargo delete = cargo(edit -> edit.delete("sales", 3));
    ChangeCargo drop = cargo(edit -> edit.dropTable("sales"));
    ChangeCargo add = insert.adding(List.of(SALES));
    store.commit(cargo(edit -> edit.dropTable("sales")));
    assertAllConflict(insert, update, delete, drop, add);
    assertFails(
        () -> store.commit(cargo(store.snapshot(), edit -> addOne(edit)).as(new UUID(1, 1), 0)),
        Fault.CONFLICT,
        DROPPED);
    store.commit(cargo(store.snapshot(), DroppedTablesTest::addOne));

    assertAllConflict(insert, update, delete, drop, add);
    assertThat(Columns.valuesOf(store.snapshot().table("sales"), "price")).containsExactly(1);
    // Others are not affected.
    store.commit(cargo(edit -> edit.update("stock", "count", 0, 5L)));
  }

  private void assertAllConflict(ChangeCargo... cargoes) {
    for (ChangeCargo cargo : cargoes) {
      for (OnConflict each : OnConflict.values()) {
        assertFails(() -> store.commit(cargo, each), Fault.CONFLICT, DROPPED);
      }
    }
  }

  @Test
  void refusesDropsThatMakeNoSense() throws Exception {
    ChangeCargo missing = ChangeCargo.builder(UUID.randomUUID(), 0).dropTable("none").build();
    assertFails(
        () -> store.commit(missing),
        Fault.REJECTED,
        "table 'none' cannot be dropped: it does not exist");
    ChangeCargo early = ChangeCargo.builder(UUID.randomUUID(), 0).dropTable("new").build();
    store.commit(cargo(edit -> edit.createTable(like(OTHER, "new"))));
    assertFails(
        () -> store.commit(early),
        Fault.CONFLICT,
        "table 'new' is to be dropped, and was made by others since snapshot 0");
    store.commit(cargo(edit -> edit.createTable(TypesTable.SCHEMA)));
    ChangeCargo types =
        ChangeCargo.builder(UUID.randomUUID(), 2).dropTable(TypesTable.NAME).build();
    assertFails(
        () -> store.commit(types),
        Fault.REJECTED,
        "table 'drayage_columns' cannot be dropped: it says what columns are");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Transaction.on(store.snapshot()).dropTable(TypesTable.NAME))
        .withMessageContaining("cannot be dropped");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ChangeCargo.builder(UUID.randomUUID(), 0).dropTable("a").dropTable("a").build())
        .withMessage("table 'a' is dropped twice");
    ChangeCargo unmade =
        ChangeCargo.builder(UUID.randomUUID(), 0)
            .dropTable("sales")
            .table("sales", sales -> sales.insert("id", ColumnValues.of(new long[][] {{1}})))
            .build();
    assertFails(() -> store.commit(unmade), Fault.REJECTED, "table 'sales' does not exist");
    assertThat(store.snapshot().has("sales")).isTrue();
  }

  @Test
  void aTransactionSeesWhatItDropped() {
    Transaction edit = Transaction.on(base);
    edit.dropTable("sales");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> edit.get("sales", "price", 0))
        .withMessage("table 'sales' is dropped");
    assertThatIllegalArgumentException().isThrownBy(() -> edit.rowCount("sales"));
    assertThatIllegalArgumentException().isThrownBy(() -> edit.isDeleted("sales", 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> edit.dropTable("sales"))
        .withMessage("table 'sales' cannot be dropped: the transaction has changed it");
    edit.createNewTable(OTHER);
    assertThat(edit.rowCount("sales")).isZero();
    edit.insert("sales", Map.of("id", 1L));
    assertThatIllegalArgumentException().isThrownBy(() -> edit.dropTable("sales"));
    edit.insert("stock", Map.of("count", 1L));
    assertThatIllegalArgumentException().isThrownBy(() -> edit.dropTable("stock"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> edit.dropTable("none"))
        .withMessage("table 'none' does not exist");
    assertThat(edit.toCargo().droppedTables()).containsExactly("sales");
    assertThat(edit.toCargo().mustBeNew()).containsExactly("sales");
  }

  @Test
  void theTypesOfADroppedTableAreForgotten() throws Exception {
    ChangeCargo made = typed("price", "DATE", 0).newTable(like(SALES, "days")).build();
    store.commit(made);
    StoreSnapshot there = store.snapshot();
    ChangeCargo.Builder kept = ChangeCargo.builder(UUID.randomUUID(), 1).dropTable("days");
    assertFails(
        () -> store.commit(kept.build()),
        Fault.REJECTED,
        "table 'days' cannot be dropped without its rows in table 'drayage_columns': row 0 is left");
    TransactionBuild build =
        store.begin(named(ID, 1), OnConflict.REJECT, false, MemoryLimit.NONE, 0);
    build.add(kept.build());
    assertFails(() -> store.commit(build), Fault.REJECTED, "row 0 is left");
    assertFails(
        () ->
            store.commit(
                cargo(
                    there,
                    edit -> {
                      edit.dropTable("stock");
                      edit.delete(TypesTable.NAME, 0);
                    })),
        Fault.REJECTED,
        "its rows cannot be updated or deleted");

    ChangeCargo again =
        cargo(
            there,
            edit -> {
              edit.dropTable("days");
              edit.createTable(like(SALES, "days"));
              edit.insert(
                  TypesTable.NAME, Map.of("table", "days", "column", "price", "type", "UINTEGER"));
            });
    store.commit(again);

    assertThat(types().find("days", "price")).isEqualTo("UINTEGER");
    Replays.replay(copy, made, 1, null);
    Replays.replay(copy, again, 2, store.lastApplied().appliedDigest(again));
    assertSame(copy, store);
    store.commit(cargo(store.snapshot(), edit -> edit.dropTable("days")));
    assertThat(types().find("days", "price")).isNull();
    store.commit(cargo(store.snapshot(), edit -> edit.createNewTable(like(SALES, "days"))));
    assertThat(types().find("days", "price")).isNull();
  }

  @Test
  void severalCargoesReplaceATableWhileOthersCommit() throws Exception {
    ChangeCargo first = cargo(edit -> replace(edit, 1, 2));
    ChangeCargo second = own(3);
    TransactionBuild build = begin();
    build.add(first);
    ChangeCargo other = cargo(edit -> edit.update("stock", "count", 0, 5L));
    store.commit(other);
    store.catchUp(build);
    build.add(second);
    ChangeCargo another = cargo(edit -> edit.insert("stock", Map.of("count", 6L)));
    store.commit(another);

    assertThat(store.commit(build)).isEqualTo(3);

    StoredTable sales = store.snapshot().table("sales");
    assertThat(Columns.valuesOf(sales, "id")).containsExactly(1L, 2L, 3L);
    assertThat(sales.made()).isEqualTo(3);
    assertThat(store.lastApplied().droppedTables()).containsExactly("sales");
    Replays.replay(copy, other, 1, null);
    Replays.replay(copy, another, 2, null);
    Replays.replay(copy, ID, 3, build.digest(), first, second);
    assertSame(copy, store);
    assertThat(store.lastApplied().rows()).isEqualTo(copy.lastApplied().rows());
  }

  @Test
  void aCommitOfOthersMeanwhileIsAConflict() throws Exception {
    TransactionBuild dropping = begin();
    dropping.add(cargo(edit -> replace(edit, 1)));
    TransactionBuild inserting = begin();
    inserting.add(cargo(edit -> edit.insert("sales", Map.of("price", 5))));
    ChangeCargo insert = cargo(edit -> edit.insert("sales", Map.of("price", 6)));
    store.commit(insert);
    assertFails(
        () -> store.commit(dropping),
        Fault.CONFLICT,
        "table 'sales' is to be dropped, and was changed by others since snapshot 0");
    store.reset(base);

    store.commit(cargo(edit -> edit.dropTable("sales")));
    store.commit(cargo(store.snapshot(), DroppedTablesTest::addOne));

    assertFails(() -> store.commit(inserting), Fault.CONFLICT, DROPPED);
    assertFails(() -> begin().add(insert), Fault.CONFLICT, DROPPED);
  }

  /** The base is newer than the snapshot in which the table was found. */
  @Test
  void aTableThatWasMadeAfterItWasFoundIsAnotherOne() throws Exception {
    store.commit(cargo(edit -> edit.dropTable("sales")));
    store.commit(cargo(store.snapshot(), DroppedTablesTest::addOne));
    ChangeCargo insert = cargo(store.snapshot(), edit -> edit.insert("sales", Map.of("price", 5)));

    assertFails(
        () -> begin(0).add(insert),
        Fault.CONFLICT,
        "table 'sales' is another one, which snapshot 2 made: the changes are for the one of"
            + " snapshot 0");
    begin(0).add(insert.adding(List.of(SALES)));
    begin(2).add(insert);
  }

  private TransactionBuild begin(long madeUntil) throws ShipmentException {
    return store.begin(named(ID, 2), OnConflict.REJECT, false, madeUntil, MemoryLimit.NONE, 0);
  }

  @Test
  void anEarlierCargoOfTheTransactionMustNotNameIt() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(edit -> edit.insert("sales", Map.of("price", 5))));

    assertFails(
        () -> build.add(cargo(edit -> edit.dropTable("sales"))),
        Fault.REJECTED,
        "table 'sales' cannot be dropped: an earlier cargo of the transaction names it");
  }

  @Test
  void anUndoneDropBringsTheTableBack() throws Exception {
    ChangeCargo update = cargo(edit -> edit.update("sales", "price", 3, 5));
    store.commit(cargo(edit -> replace(edit, 1)));
    store.reset(base);

    store.commit(update);

    assertThat(store.snapshot().table("sales").get("price", 3)).isEqualTo(5);
    assertThat(store.snapshot().table("sales").made()).isZero();
  }

  @Test
  void aNewPrimaryKnowsTheDropsThatItReplayed() throws Exception {
    ChangeCargo drop = cargo(edit -> edit.dropTable("sales"));
    Replays.replay(copy, drop, 1, null);

    assertFails(
        () -> copy.commit(cargo(edit -> edit.insert("sales", Map.of("price", 5)))),
        Fault.CONFLICT,
        DROPPED);
  }

  /** A name is free again, also in another case. */
  @Test
  void theNameIsFreeAgain() throws Exception {
    store.commit(
        cargo(
            edit -> {
              edit.dropTable("sales");
              edit.createNewTable(like(SALES, "SALES"));
            }));

    assertThat(store.snapshot().has("SALES")).isTrue();
    assertThat(store.snapshot().has("sales")).isFalse();
  }

  /** The memory of a dropped table is used as long as the snapshot before is needed. */
  @Test
  void theDatabaseHasRoomForWhatReplacesATable() throws Exception {
    int rows = 100_000;
    ChangeCargo filled =
        cargo(
            edit -> {
              edit.createTable(like(OTHER, "large"));
              edit.insertRows(
                  "large", Map.of("id", ColumnValues.of(new long[][] {new long[rows]})));
            });
    long bytes = rows * (long) Long.BYTES;
    MemoryLimit limit = new MemoryLimit(bytes * 3 / 2, bytes * 5 / 2);
    store.commit(filled, OnConflict.REJECT, limit, 0);
    ChangeCargo replaced =
        cargo(
            store.snapshot(),
            edit -> {
              edit.dropTable("large");
              edit.createTable(like(OTHER, "large"));
              edit.insertRows(
                  "large", Map.of("id", ColumnValues.of(new long[][] {new long[rows]})));
            });

    assertFails(
        () -> store.commit(replaced, OnConflict.REJECT, limit, bytes), Fault.BUSY, "for copies");
    store.commit(replaced, OnConflict.REJECT, limit, 0);

    assertThat(store.lastCopiedBytes()).isGreaterThanOrEqualTo(bytes);
    assertThat(store.snapshot().memoryBytes()).isLessThan(bytes * 3 / 2);
  }

  private TypesTable types() {
    return TypesTable.of(store.snapshot().liveRows());
  }

  private static ChangeCargo.Builder typed(String column, String type, long on) {
    TypesTable.Rows rows = new TypesTable.Rows();
    rows.add("days", column, type);
    ChangeCargo.Builder cargo =
        ChangeCargo.builder(UUID.randomUUID(), on).newTable(TypesTable.SCHEMA);
    rows.insertInto(cargo);
    return cargo;
  }

  private static TableSchema like(TableSchema table, String name) {
    return new TableSchema(name, table.columns());
  }

  private static void addOne(Transaction edit) {
    edit.createTable(SALES);
    edit.insert("sales", Map.of("price", 1));
  }

  private static void replace(Transaction edit, long... ids) {
    edit.dropTable("sales");
    edit.createTable(OTHER);
    for (long id : ids) {
      edit.insert("sales", Map.of("id", id));
    }
  }

  /** Rows of the new table, from a worker that knows what the transaction makes. */
  private static ChangeCargo own(long id) {
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .newTable(OTHER)
        .table("sales", sales -> sales.insert("id", ColumnValues.of(new long[][] {{id}})))
        .build();
  }

  /** A store that is loaded from a full snapshot has the same tables. */
  private static void assertLoaded(MemoryStore store) {
    StoreSnapshot snapshot = store.snapshot();
    StoreSnapshot loaded =
        FullContents.toSnapshot(snapshot.timestamp(), FullContents.toCargo(snapshot));
    assertSame(new MemoryStore(loaded, store.known(), ForkJoinPool.commonPool(), 1, 0), store);
  }
}
