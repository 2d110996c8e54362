package io.drayage.store;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
  private static final TableSchema STOCK =
      TableSchema.of(
          "stock",
          ColumnSchema.of("item", ColumnType.INT),
          ColumnSchema.nullable("note", ColumnType.STRING));

  private final MemoryStore store = new MemoryStore();

  private long commit(long transaction, Consumer<ChangeCargo.TableChangesBuilder> changes)
      throws ShipmentException {
    return store.commit(
        ChangeCargo.builder(new UUID(0, transaction), store.snapshot().timestamp())
            .table("stock", changes)
            .build());
  }

  private static Consumer<ChangeCargo.TableChangesBuilder> insert(int item, String note) {
    return table ->
        table
            .insert("item", Columns.of(ColumnType.INT, item))
            .insert("note", Columns.of(ColumnType.STRING, note));
  }

  private static Consumer<ChangeCargo.TableChangesBuilder> update(long row, int item) {
    return table -> table.update("item", Columns.rows(row), Columns.of(ColumnType.INT, item));
  }

  private StoredTable stock() {
    return store.snapshot().table("stock");
  }

  @Test
  void givesEachCommitTheNextTimestamp() throws ShipmentException {
    MemoryStore fromForty = new MemoryStore(40, ForkJoinPool.commonPool(), 2);
    fromForty.createTable(STOCK, 1);

    assertThat(fromForty.snapshot().timestamp()).isEqualTo(40);
    assertThat(fromForty.commit(ChangeCargo.builder(new UUID(0, 1), 40).build())).isEqualTo(41);
    assertThat(fromForty.commit(ChangeCargo.builder(new UUID(0, 2), 41).build())).isEqualTo(42);
    assertThat(fromForty.snapshot().timestamp()).isEqualTo(42);
  }

  @Test
  void knowsTheTransactionsOfItsWindowAndRefusesWhatIsOlder() throws ShipmentException {
    MemoryStore small = store(new StoreSnapshot(0, Map.of()), Map.of());
    for (int i = 1; i <= 5; i++) {
      assertThat(small.commit(empty(i, i - 1))).isEqualTo(i);
    }

    assertThat(small.known().committed())
        .containsOnly(
            Map.entry(new UUID(0, 3), 3L),
            Map.entry(new UUID(0, 4), 4L),
            Map.entry(new UUID(0, 5), 5L));
    assertThat(small.commit(empty(3, 2))).isEqualTo(3);
    for (int forgotten : new int[] {1, 2}) {
      assertFault(Fault.REJECTED, () -> small.commit(empty(forgotten, forgotten - 1)))
          .hasMessageContaining("known since snapshot 2, the last 3")
          .hasMessageContaining(
              "too old to tell whether transaction %s has committed", new UUID(0, forgotten));
    }
    assertThat(small.snapshot().timestamp()).isEqualTo(5);
    assertThat(small.commit(empty(6, 2))).isEqualTo(6);
  }

  @Test
  void knowsTheSameTransactionsAfterARestart() throws ShipmentException {
    Map<UUID, Long> committed = new HashMap<>();
    for (long i = 1; i <= 7; i++) {
      committed.put(new UUID(0, i), i);
    }
    MemoryStore restarted = store(new StoreSnapshot(7, Map.of()), committed);

    assertThat(restarted.known().committed().values()).containsExactlyInAnyOrder(5L, 6L, 7L);
    assertThat(restarted.commit(empty(5, 4))).isEqualTo(5);
    assertThatThrownBy(() -> restarted.commit(empty(4, 3))).hasMessageContaining("too old to tell");
    assertThat(restarted.commit(empty(8, 7))).isEqualTo(8);
    assertThat(restarted.known().committed().values()).containsExactlyInAnyOrder(6L, 7L, 8L);
  }

  @Test
  void goesBackWithinItsWindowOnly() throws ShipmentException {
    MemoryStore small = store(new StoreSnapshot(0, Map.of()), Map.of());
    List<StoreSnapshot> snapshots = new ArrayList<>(List.of(small.snapshot()));
    for (int i = 1; i <= 5; i++) {
      small.commit(empty(i, i - 1));
      snapshots.add(small.snapshot());
    }

    assertThatThrownBy(() -> small.reset(snapshots.get(1)))
        .isInstanceOf(IllegalArgumentException.class);
    small.reset(snapshots.get(4));
    small.reset(snapshots.get(2));

    assertThat(small.known().committed()).isEmpty();
    assertThat(small.commit(empty(3, 2))).isEqualTo(3);
    // A forgotten transaction stays forgotten.
    assertThatThrownBy(() -> small.commit(empty(2, 1))).hasMessageContaining("too old to tell");
  }

  /** Returns a store that knows three transactions. */
  private static MemoryStore store(StoreSnapshot base, Map<UUID, Long> committed) {
    return new MemoryStore(
        base, KnownTransactions.committed(committed), ForkJoinPool.commonPool(), 1, 1 << 20, 3);
  }

  private static ChangeCargo empty(int transaction, long base) {
    return ChangeCargo.builder(new UUID(0, transaction), base).build();
  }

  @Test
  void adoptsInsertedPagesWithoutCopyingThem() throws ShipmentException {
    store.createTable(STOCK, 2);
    ColumnValues items = Columns.of(ColumnType.INT, 7, 8);

    commit(
        1,
        table ->
            table.insert("item", items).insert("note", Columns.of(ColumnType.STRING, "a", "b")));

    assertThat(stock().column("item").extent(1).page(0)).isSameAs(items.page(0));
  }

  @Test
  void sharesUntouchedPagesBetweenSnapshots() throws ShipmentException {
    int rowsPerPage = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    store.createTable(STOCK, 3L * rowsPerPage);
    commit(1, update(0, 1));
    Extent before = stock().column("item").extent(0);

    commit(2, update(rowsPerPage, 2));

    Extent after = stock().column("item").extent(0);
    assertThat(after.page(0)).isNotNull().isSameAs(before.page(0));
    assertThat(before.page(1)).isNull();
    assertThat(after.page(1)).isNotNull();
    assertThat(after.page(2)).isNull();
    assertThat(stock().get("item", rowsPerPage)).isEqualTo(2);
    assertThat(stock().get("item", rowsPerPage + 1)).isEqualTo(0);
  }

  @Test
  void forgetsTransactionsAfterTheSnapshotItIsResetTo() throws ShipmentException {
    store.createTable(STOCK, 0);
    commit(1, insert(7, "seven"));
    StoreSnapshot first = store.snapshot();
    commit(2, insert(8, "eight"));

    store.reset(first);

    assertThat(store.snapshot()).isSameAs(first);
    assertThat(store.lastApplied()).isNull();
    assertThat(commit(1, insert(7, "again"))).isEqualTo(1);
    assertThat(store.snapshot()).isSameAs(first);
    assertThat(commit(2, insert(9, "nine"))).isEqualTo(2);
    assertThat(Columns.valuesOf(stock(), "item")).containsExactly(7, 9);
  }

  @Test
  void doesNotResetToASnapshotOfAnAbandonedBranch() throws ShipmentException {
    store.createTable(STOCK, 0);
    StoreSnapshot base = store.snapshot();
    commit(1, insert(7, "seven"));
    StoreSnapshot abandoned = store.snapshot();
    store.reset(base);
    commit(2, insert(8, "eight"));

    assertThatThrownBy(() -> store.reset(abandoned))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("snapshot 1 is not among snapshots 0 to 1, which led to the current one");
    assertThat(Columns.valuesOf(stock(), "item")).containsExactly(8);
  }

  @Test
  void doesNotCreateATableAfterACommit() throws ShipmentException {
    store.createTable(STOCK, 0);
    commit(1, insert(7, "seven"));

    assertThatThrownBy(() -> store.createTable(TableSchema.of("late", STOCK.columns().get(0)), 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("table 'late' cannot be created: snapshot 1 is committed already");
  }

  @Test
  void doesNotCreateATableTwiceOrWithImpossibleRows() {
    store.createTable(STOCK, 0);

    assertThatThrownBy(() -> store.createTable(STOCK, 0))
        .hasMessage("table 'stock' exists already");
    assertThatThrownBy(() -> store.createTable(TableSchema.of("other", STOCK.columns().get(0)), -1))
        .hasMessageStartingWith("table 'other': -1 rows are outside 0 to ");
  }

  @Test
  void namesTheRowAndTheRowCountOfAReadOutsideTheTable() {
    store.createTable(STOCK, 3);

    assertThatThrownBy(() -> stock().get("item", 3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("row 3 is outside the 3 rows of column 'item'");
    assertThatThrownBy(() -> stock().isDeleted(-1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("row -1 is outside the 3 rows of table 'stock'");
    assertThatThrownBy(() -> stock().get("price", 0))
        .hasMessage("table 'stock' has no column 'price'");
  }
}
