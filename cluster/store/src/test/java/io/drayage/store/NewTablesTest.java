package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.database.InitialTable;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.segment.SegmentPlanner;
import io.drayage.store.column.StoredTable;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests tables that transactions add to an existing database. */
class NewTablesTest extends StoreFixture {
  /** A table with the same columns in another order. */
  private static final TableSchema OTHER =
      new TableSchema("sales", List.of(SALES.columns().get(1), SALES.columns().get(0)));

  NewTablesTest() {
    super(STOCK);
  }

  private static MemoryStore withStock() {
    MemoryStore store = new MemoryStore();
    store.createTable(STOCK, 10);
    return store;
  }

  @Test
  void aCommitAddsTablesAndFillsThem() throws Exception {
    ChangeCargo cargo = selling(base, 5, 6);

    assertThat(store.commit(cargo)).isEqualTo(1);

    assertThat(base.has("sales")).isFalse();
    assertThat(store.snapshot().tables())
        .extracting(StoredTable::schema)
        .containsExactly(STOCK, SALES);
    assertThat(prices(store)).containsExactly(5, 6);
    AppliedChanges changes = store.lastApplied();
    assertThat(changes.newTables()).containsExactly(SALES);
    assertThat(changes.digest()).isEqualTo(CargoDigest.of(cargo));
    Replays.replay(copy, cargo, 1, changes.appliedDigest(cargo));
    assertSame(copy, store);
    assertThat(FullContents.toSnapshot(1, FullContents.toCargo(store.snapshot())).tables())
        .extracting(StoredTable::schema)
        .containsExactly(STOCK, SALES);
  }

  @Test
  void aTableMayBeAddedWithoutRows() throws Exception {
    store.commit(cargo(base, edit -> edit.createTable(SALES)));

    assertThat(store.snapshot().table("sales").rowCount()).isZero();
    // The base did not have the table: the author of the cargo knows it from elsewhere.
    store.commit(
        ChangeCargo.builder(UUID.randomUUID(), 0)
            .table(
                "sales",
                sales ->
                    sales
                        .insert("price", ColumnValues.of(new int[][] {{5}}))
                        .insert("note", ColumnValues.ofTexts(new String[][] {{"a"}})))
            .build());
    assertThat(prices(store)).containsExactly(5);
    assertFails(
        () -> store.commit(updating(0, 0)),
        Fault.REJECTED,
        "table 'sales': row 0 is outside the table's 0 rows");
    store.commit(updating(2, 0));
    assertThat(prices(store)).containsExactly(9);
  }

  @Test
  void addingTheSameTableTwiceIsTheSame() throws Exception {
    ChangeCargo first = selling(base, 5);
    ChangeCargo second = selling(base, 6, 7);
    store.commit(first);
    store.commit(second);

    assertThat(prices(store)).containsExactly(5, 6, 7);
    assertThat(store.snapshot().tables()).hasSize(2);
    Replays.replay(copy, first, 1, null);
    Replays.replay(copy, second, 2, store.lastApplied().appliedDigest(second));
    assertSame(copy, store);
    // A transaction that sees the table need not add it.
    assertThat(cargo(store.snapshot(), edit -> edit.createTable(SALES)).newTables()).isEmpty();
  }

  @Test
  void refusesATableThatExistsWithOtherColumns() throws Exception {
    store.commit(selling(base, 5));
    StoreSnapshot before = store.snapshot();
    assertFails(
        () -> store.commit(cargo(base, edit -> edit.createTable(OTHER))),
        Fault.REJECTED,
        "table 'sales' cannot be added: it exists with other columns: column 1 is 'price' INT NOT"
            + " NULL, not 'note' STRING");
    assertFails(
        () -> store.commit(adding(ColumnSchema.of("price", ColumnType.INT))),
        Fault.REJECTED,
        "it exists with other columns: 2 columns, not 1");
    assertFails(
        () ->
            store.commit(
                adding(ColumnSchema.nullable("price", ColumnType.INT), SALES.columns().get(1))),
        Fault.REJECTED,
        "column 1 is 'price' INT NOT NULL, not 'price' INT");
    assertThat(store.snapshot()).isSameAs(before);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Transaction.on(before).createTable(OTHER))
        .withMessageContaining("table 'sales' exists with other columns");
    Transaction edit = Transaction.on(base);
    edit.createTable(SALES);
    edit.createTable(SALES);
    assertThatIllegalArgumentException().isThrownBy(() -> edit.createTable(OTHER));
    assertThat(edit.toCargo().newTables()).containsExactly(SALES);
    assertThatThrownBy(() -> edit.createTable(SALES)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesMoreTablesThanAFullSnapshotMayHave() throws Exception {
    store.commit(many("a", 13_000));
    store.commit(many("b", 13_000));
    StoreSnapshot full = store.snapshot();

    assertFails(
        () -> store.commit(many("c", 2_000)),
        Fault.REJECTED,
        "table 'c0' cannot be added: the description of 28,001 tables would take 4,2");
    assertThat(store.snapshot()).isSameAs(full);
    store.commit(many("a", 1));
    assertThat(new SegmentPlanner(1 << 20).plan(FullContents.toCargo(full)).tables()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> many("d", 14_000))
        .withMessageContaining("the description of 14,000 new tables takes")
        .withMessageContaining("the limit is 2,097,152");
  }

  private static ChangeCargo many(String name, int count) {
    ChangeCargo.Builder many = ChangeCargo.builder(UUID.randomUUID(), 0);
    for (int i = 0; i < count; i++) {
      many.newTable(TableSchema.of(name + i, ColumnSchema.of("c", ColumnType.BYTE)));
    }
    return many.build();
  }

  @Test
  void whatIsUndoneTakesItsTablesWithIt() throws Exception {
    store.commit(selling(base, 5));
    store.reset(base);

    assertThat(store.snapshot().has("sales")).isFalse();
    assertThat(store.commit(cargo(base, edit -> edit.createTable(OTHER)))).isEqualTo(1);
    assertThat(store.snapshot().table("sales").schema()).isEqualTo(OTHER);
  }

  @Test
  void aTransactionOfSeveralCargoesAddsATableOnce() throws Exception {
    ChangeCargo first = selling(base, 1, 2);
    ChangeCargo second = selling(base, 3);
    TransactionBuild build = begin();
    build.add(first);
    build.add(second);
    assertThat(store.snapshot().has("sales")).isFalse();

    store.commit(build);

    assertThat(prices(store)).containsExactly(1, 2, 3);
    assertThat(store.lastApplied().newTables()).containsExactly(SALES);
    Replays.replay(copy, ID, 1, build.digest(), first, second);
    assertSame(copy, store);
    TransactionBuild mixed = begin();
    mixed.add(selling(base, 1));
    assertFails(
        () -> mixed.add(cargo(base, edit -> edit.createTable(OTHER))),
        Fault.REJECTED,
        "table 'sales' cannot be added");
  }

  @Test
  void othersMayAddTheSameTableMeanwhile() throws Exception {
    ChangeCargo own = selling(base, 1, 2);
    TransactionBuild build = begin();
    build.add(own);
    ChangeCargo other = selling(base, 100);
    store.commit(other);

    assertThat(store.commit(build)).isEqualTo(2);

    assertThat(prices(store)).containsExactly(100, 1, 2);
    Replays.replay(copy, other, 1, null);
    Replays.replay(copy, ID, 2, build.digest(), own);
    assertSame(copy, store);
    assertThat(store.lastApplied().rows()).isEqualTo(copy.lastApplied().rows());
    assertThat(store.lastApplied().newTables()).isEqualTo(copy.lastApplied().newTables());
  }

  @Test
  void othersMayTakeTheirTableBackMeanwhile() throws Exception {
    ChangeCargo own = selling(base, 1, 2);
    store.commit(selling(base, 100));
    TransactionBuild build = begin();
    build.add(own);
    TransactionBuild relying = begin();
    relying.add(own.adding(List.of()));
    store.reset(base);
    store.commit(cargo(base, edit -> edit.update("stock", "count", 0, 5L)));

    assertFails(
        () -> store.commit(relying),
        Fault.REJECTED,
        "table 'sales' is not there any more: the transaction that added it could not commit");
    assertThat(store.commit(build)).isEqualTo(2);
    assertThat(prices(store)).containsExactly(1, 2);
  }

  @Test
  void serializableRefusesTheRowsOfWhoAddedTheTableFirst() throws Exception {
    TransactionBuild build = begin(true);
    build.add(selling(base, 1));
    store.commit(cargo(base, edit -> edit.createTable(SALES)));
    store.catchUp(build);
    store.commit(selling(base, 100));

    assertFails(
        () -> store.commit(build), Fault.CONFLICT, "table 'sales': others have inserted 1 rows");
  }

  @Test
  void aTableThatMustBeNewIsMadeOnce() throws Exception {
    ChangeCargo first = making(SALES);
    ChangeCargo second = making(SALES);
    TransactionBuild build = begin();
    build.add(second);
    build.add(selling(base, 1)); // A worker of the same transaction adds it, too.
    store.commit(first);

    String message = "table 'sales' must be new, and exists: another commit has made it";
    assertFails(() -> store.commit(making(SALES)), Fault.CONFLICT, message);
    assertFails(() -> store.commit(making(OTHER)), Fault.CONFLICT, message);
    assertFails(() -> store.commit(build), Fault.CONFLICT, message);
    TransactionBuild begunAfter = begin();
    assertFails(() -> begunAfter.add(second), Fault.CONFLICT, message);
    assertThat(store.commit(first)).as("sent again").isEqualTo(1);
    store.commit(selling(base, 5));
    assertThat(prices(store)).containsExactly(5);
    Replays.replay(copy, first, 1, null);
    assertThat(copy.snapshot().has("sales")).isTrue();
  }

  @Test
  void aTransactionThatMakesATableFillsIt() throws Exception {
    TransactionBuild build = begin();
    build.add(making(SALES));
    build.add(selling(base, 1, 2));
    store.commit(cargo(base, edit -> edit.update("stock", "count", 0, 5L)));

    store.commit(build);

    assertThat(prices(store)).containsExactly(1, 2);
  }

  @Test
  void refusesNamesThatDifferInCaseAlone() throws Exception {
    TransactionBuild build = begin();
    build.add(cargo(base, edit -> edit.createTable(named("SALES"))));
    store.commit(selling(base, 5));

    String message =
        "table 'Sales' cannot be added: it differs from table 'sales' in case alone, and SQL takes"
            + " them for one";
    assertFails(() -> store.commit(making(named("Sales"))), Fault.REJECTED, message);
    assertFails(
        () -> store.commit(cargo(base, edit -> edit.createTable(named("Sales")))),
        Fault.REJECTED,
        message);
    assertFails(() -> store.commit(build), Fault.REJECTED, "table 'SALES' cannot be added");
    assertFails(
        () ->
            store.commit(
                cargo(
                    base,
                    edit -> {
                      edit.createTable(named("new"));
                      edit.createTable(named("New"));
                    })),
        Fault.REJECTED,
        "table 'New' cannot be added: it differs from table 'new'");
    assertFails(
        () ->
            store.commit(
                making(
                    TableSchema.of(
                        "t",
                        ColumnSchema.of("a", ColumnType.INT),
                        ColumnSchema.of("A", ColumnType.INT)))),
        Fault.REJECTED,
        "table 't' cannot be added: its columns 'a' and 'A' differ in case alone");
    store.commit(making(named("été")));
    store.commit(making(named("ÉTÉ"))); // SQL folds only ASCII letters.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withStock().createTable(named("Stock"), 0))
        .withMessageContaining("table 'Stock' cannot be added");
  }

  @Test
  void typesOfColumnsAreSaidByWhatMakesThem() throws Exception {
    ChangeCargo made = typed(SALES, "price", "DATE");
    TransactionBuild build = begin();
    build.add(typed(SALES, "price", "USMALLINT"));
    store.commit(made);
    String differs = "table 'sales' cannot be added: its column 'price' is DATE, not USMALLINT";
    assertFails(() -> store.commit(typed(SALES, "price", "USMALLINT")), Fault.REJECTED, differs);
    assertFails(() -> store.commit(build), Fault.REJECTED, differs);
    store.commit(typed(SALES, "price", "DATE")); // A user may import a file twice.

    assertFails(
        () -> store.commit(types("sales", "note", "UUID").build()),
        Fault.REJECTED,
        "table 'drayage_columns' cannot say that column 'note' of table 'sales' is UUID: the commit"
            + " that makes a table says it, and this table exists");
    assertFails(
        () -> store.commit(types("sales", "other", "DATE").build()),
        Fault.REJECTED,
        "table 'drayage_columns' cannot say what column 'other' of table 'sales' is, which does not"
            + " exist");
    assertFails(
        () -> store.commit(types("soon", "c", "DATE").build()),
        Fault.REJECTED,
        "column 'c' of table 'soon' is, which does not exist");
    String stays =
        "table 'drayage_columns' says what columns are: its rows cannot be updated or deleted";
    StoreSnapshot said = store.snapshot();
    assertFails(
        () -> store.commit(cargo(said, edit -> edit.update("drayage_columns", "type", 0, "JSON"))),
        Fault.REJECTED,
        stays);
    TransactionBuild deleting =
        store.begin(
            StoreFixture.named(ID, said.timestamp()),
            OnConflict.REJECT,
            false,
            MemoryLimit.NONE,
            0);
    assertFails(
        () -> deleting.add(cargo(said, edit -> edit.delete("drayage_columns", 0))),
        Fault.REJECTED,
        stays);
    assertFails(
        () -> store.commit(making(named("Drayage_columns"))), Fault.REJECTED, "in case alone");
    assertFails(
        () -> withStock().commit(making(named("Drayage_columns"))),
        Fault.REJECTED,
        "table 'drayage_columns' says what columns are, and has the columns ['table' STRING NOT"
            + " NULL");
    assertThat(TypesTable.of(store.snapshot().liveRows()).find("sales", "price")).isEqualTo("DATE");
  }

  @Test
  void typesAreNotSaidOfATableThatIsThere() throws Exception {
    TransactionBuild build = begin();
    build.add(typed(SALES, "price", "DATE"));
    store.commit(making(SALES));
    StoreSnapshot before = store.snapshot();

    String exists =
        "table 'drayage_columns' cannot say that column 'price' of table 'sales' is DATE: the"
            + " commit that makes a table says it, and this table exists";
    assertFails(
        () -> store.commit(types("sales", "price", "DATE").build()), Fault.REJECTED, exists);
    assertFails(() -> store.commit(typed(SALES, "price", "DATE")), Fault.REJECTED, exists);
    assertFails(() -> store.commit(build), Fault.REJECTED, exists);
    assertThat(store.snapshot()).isSameAs(before);
  }

  /** A node starts with the tables of an import, which is committed then. */
  @Test
  void aDatabaseIsMadeWithTypes() throws Exception {
    MemoryStore made = new MemoryStore();
    made.createTables(
        List.of(new InitialTable(STOCK, 10), new InitialTable(SALES, 0, Map.of("price", "DATE"))));

    assertThat(made.snapshot().timestamp()).isZero();
    assertThat(TypesTable.of(made.snapshot().liveRows()).find("sales", "price")).isEqualTo("DATE");
    made.commit(types("sales", "price", "DATE").build());
    assertFails(
        () -> made.commit(types("sales", "price", "USMALLINT").build()),
        Fault.REJECTED,
        "column 'price' is DATE, not USMALLINT");
    assertFails(
        () -> made.commit(types("stock", "count", "UBIGINT").build()),
        Fault.REJECTED,
        "this table exists");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InitialTable(STOCK, 0, Map.of("price", "DATE")))
        .withMessage("table 'stock' has no column 'price', which is to be DATE");
  }

  @Test
  void aTransactionMakesATableThatMustBeNew() throws Exception {
    ChangeCargo first = cargo(base, edit -> makeAndFill(edit, 5));
    ChangeCargo second = cargo(base, edit -> makeAndFill(edit, 6));
    assertThat(first.mustBeNew()).containsExactly("sales");
    store.commit(first);

    assertFails(
        () -> store.commit(second),
        Fault.CONFLICT,
        "table 'sales' must be new, and exists: another commit has made it");
    assertThat(store.commit(first)).as("sent again").isEqualTo(1);
    assertThat(prices(store)).containsExactly(5);
    Transaction late = Transaction.on(store.snapshot());
    Transaction twice = Transaction.on(base);
    twice.createTable(SALES);
    for (Transaction each : List.of(late, twice)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> each.createNewTable(SALES))
          .withMessage("table 'sales' must be new, and exists");
      assertThat(each.toCargo().mustBeNew()).isEmpty();
    }
  }

  private static void makeAndFill(Transaction edit, int price) {
    edit.createNewTable(SALES);
    edit.createTable(SALES);
    edit.insert("sales", Map.of("price", price));
  }

  private static TableSchema named(String name) {
    return TableSchema.of(name, ColumnSchema.of("c", ColumnType.BYTE));
  }

  /** Makes a table. */
  private static ChangeCargo making(TableSchema table) {
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .newTable(table)
        .mustBeNew(table.name())
        .build();
  }

  /** Adds a table, a row, and the type of a column. */
  private static ChangeCargo typed(TableSchema table, String column, String type) {
    return types(table.name(), column, type)
        .newTable(table)
        .table(
            table.name(),
            sales ->
                sales
                    .insert("price", ColumnValues.of(new int[][] {{5}}))
                    .insert("note", ColumnValues.ofTexts(new String[][] {{"a"}})))
        .build();
  }

  private static ChangeCargo.Builder types(String table, String column, String type) {
    TypesTable.Rows rows = new TypesTable.Rows();
    rows.add(table, column, type);
    ChangeCargo.Builder cargo =
        ChangeCargo.builder(UUID.randomUUID(), 0).newTable(TypesTable.SCHEMA);
    rows.insertInto(cargo);
    return cargo;
  }

  /** Adds the table, and rows with these prices. */
  private static ChangeCargo selling(StoreSnapshot on, int... prices) {
    return cargo(
        on,
        edit -> {
          edit.createTable(SALES);
          for (int price : prices) {
            edit.insert("sales", Map.of("price", price));
          }
        });
  }

  private static ChangeCargo adding(ColumnSchema... columns) {
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .newTable(TableSchema.of("sales", columns))
        .build();
  }

  private static ChangeCargo updating(long on, long row) {
    ColumnValues price = ColumnValues.of(new int[][] {{9}});
    return ChangeCargo.builder(UUID.randomUUID(), on)
        .table("sales", sales -> sales.update("price", Columns.rows(row), price))
        .build();
  }

  private static List<@Nullable Object> prices(MemoryStore store) {
    return Columns.valuesOf(store.snapshot().table("sales"), "price");
  }
}
