package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TextPage;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damages the store after a commit in one way each, and expects another digest. */
class AppliedChangesTest {
  private static final ChangeCargo CARGO =
      ChangeCargo.builder(new UUID(0, 2), 1)
          .table(
              "t",
              table ->
                  table
                      .insert("a", Columns.of(ColumnType.INT, 1, 2, 3))
                      .insert("b", Columns.of(ColumnType.STRING, "x", null, "z"))
                      .update("a", Columns.rows(2, 7), Columns.of(ColumnType.INT, 20, null))
                      .update("b", Columns.rows(9, 0), Columns.of(ColumnType.STRING, "nine", "0"))
                      .delete(Columns.bits(10, 3, 8)))
          .build();

  private final MemoryStore store = new MemoryStore();
  private AppliedChanges applied;
  private StoredTable table;
  private long sent;

  @BeforeEach
  void commitCargo() throws ShipmentException {
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.nullable("a", ColumnType.INT),
            ColumnSchema.nullable("b", ColumnType.STRING)),
        10);
    store.commit(
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table("t", changes -> changes.delete(Columns.bits(10, 5)))
            .build());
    sent = CargoDigest.of(CARGO);
    store.commit(CARGO);
    applied = store.lastApplied();
    table = store.snapshot().table("t");
  }

  private AppliedChanges appliedWith(StoredTable spoilt) {
    StoreSnapshot snapshot = store.snapshot();
    return applied.in(snapshot.with(snapshot.timestamp(), List.of(spoilt)));
  }

  private AppliedChanges deleting(DeletedRows deleted) {
    return appliedWith(new StoredTable(table.schema(), table.rowCount(), deleted, table.columns()));
  }

  private StoredTable withColumn(int index, StoredColumn column) {
    List<StoredColumn> columns = new ArrayList<>(table.columns());
    columns.set(index, column);
    return new StoredTable(table.schema(), table.rowCount(), table.deleted(), columns);
  }

  private static StoredColumn withoutExtent(StoredColumn column, int dropped) {
    List<Extent> kept =
        IntStream.range(0, column.extentCount())
            .filter(i -> i != dropped)
            .mapToObj(column::extent)
            .toList();
    return new StoredColumn(column.schema(), kept);
  }

  private int[] ints(int extent) {
    return (int[]) table.column("a").extent(extent).page(0);
  }

  @Test
  void hasTheDigestOfTheCargo() {
    assertThat(applied.transactionId()).isEqualTo(CARGO.transactionId());
    assertThat(applied.timestamp()).isEqualTo(2);
    assertThat(applied.digest()).isEqualTo(sent);
    assertThat(applied.appliedDigest(CARGO))
        .isEqualTo(applied.appliedDigest())
        .isEqualTo(AppliedDigest.of(CARGO));
  }

  @Test
  void namesTheRowsOfItsUpdatesByColumnInTheOrderOfTheCargo() throws ShipmentException {
    store.commit(
        ChangeCargo.builder(new UUID(0, 3), 2)
            .table(
                "t",
                changes ->
                    changes
                        .update("b", Columns.rows(9, 0), Columns.of(ColumnType.STRING, "9", "0"))
                        .update("a", Columns.rows(2), Columns.of(ColumnType.INT, 5)))
            .build());

    AppliedChanges applied = store.lastApplied();
    assertThat(applied.tables()).containsExactly("t");
    AppliedChanges.UpdatedRows rows = applied.updatedRows("t");
    List<String> found = new ArrayList<>();
    while (rows.next()) {
      found.add(rows.row() + " " + rows.columns());
    }
    assertThat(found).containsExactly("0 [b]", "2 [a]", "9 [b]");
  }

  @Test
  void keepsItsDigestThroughLaterCommits() throws ShipmentException {
    store.commit(
        ChangeCargo.builder(new UUID(0, 3), 2)
            .table(
                "t",
                changes ->
                    changes
                        .update("a", Columns.rows(2, 11), Columns.of(ColumnType.INT, 5, 6))
                        .delete(Columns.bits(13, 12)))
            .build());

    assertThat(applied.digest()).isEqualTo(sent);
    assertThat(store.lastApplied().digest()).isNotEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a wrong inserted cell",
        "swapped updates",
        "a value where the update set null",
        "updates that were not applied",
        "a missing delete",
        "a delete too many",
        "a delete too many beyond the bits",
        "a lost insert in every column",
      })
  void notices(String what) {
    StoredColumn a = table.column("a");
    StoredColumn b = table.column("b");
    AppliedChanges spoilt = applied;
    switch (what) {
      case "a wrong inserted cell" -> ints(1)[1]++;
      case "swapped updates" -> {
        TextPage texts = (TextPage) b.extent(0).page(0);
        texts.replace(new int[] {0, 9}, 2, TextPage.of("nine", "0"), 0);
      }
      case "a value where the update set null" -> a.extent(0).ownValidity(0)[0] |= 1L << 7;
      case "updates that were not applied" -> {
        StoredColumn asBefore = StoredColumn.ofDefaults(b.schema(), 10);
        List<Extent> extents = List.of(asBefore.extent(0), b.extent(1));
        spoilt = appliedWith(withColumn(1, new StoredColumn(b.schema(), extents)));
      }
      case "a missing delete" -> spoilt = deleting(DeletedRows.NONE.plus(Columns.bits(10, 5, 3)));
      case "a delete too many" -> spoilt = deleting(table.deleted().plus(Columns.bits(10, 9)));
      case "a delete too many beyond the bits" ->
          spoilt = deleting(table.deleted().plus(Columns.bits(13, 12)));
      default -> {
        List<StoredColumn> lost = List.of(withoutExtent(a, 1), withoutExtent(b, 1));
        spoilt = appliedWith(new StoredTable(table.schema(), 10, table.deleted(), lost));
      }
    }
    assertThat(spoilt.digest()).isNotEqualTo(sent);
  }

  @Test
  void noticesAWrongUpdatedCell() {
    ints(0)[2]++;

    assertThat(applied.digest()).isNotEqualTo(sent);
    assertThatIllegalStateException().isThrownBy(() -> applied.appliedDigest(CARGO));
  }

  @Test
  void noticesALostInsert() {
    AppliedChanges spoilt = appliedWith(withColumn(0, withoutExtent(table.column("a"), 1)));

    // This is not even a cargo: its other column has more rows.
    assertThatThrownBy(spoilt::digest).hasMessageContaining("'b' of table 't' inserts 3 rows");
  }

  private static StoredColumn appended(StoredColumn column, ColumnValues values) {
    return column.append(Extent.adopt(values, column.rowCount()));
  }

  @Test
  void noticesInsertedRowsAtTheWrongPlace() {
    ColumnValues inserted = Columns.of(ColumnType.INT, 1, 2, 3);
    StoredColumn shifted = withoutExtent(table.column("a"), 1);
    shifted = appended(appended(shifted, Columns.of(ColumnType.INT, 0)), inserted);
    AppliedChanges spoilt = appliedWith(withColumn(0, shifted));

    assertThatThrownBy(spoilt::digest)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the last rows of column 'a' start at 11, not at 10");
  }
}
