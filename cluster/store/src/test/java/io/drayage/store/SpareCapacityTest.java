package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TextPage;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredTable;
import java.lang.reflect.Array;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that values in the spare capacity of the last page of a cargo are rows of no table. */
class SpareCapacityTest {
  private final MemoryStore store = new MemoryStore();

  @BeforeEach
  void createTable() throws ShipmentException {
    store.createTable(
        TableSchema.of(
            "stock",
            ColumnSchema.of("item", ColumnType.INT),
            ColumnSchema.of("note", ColumnType.STRING)),
        2);
  }

  private static ChangeCargo insert() {
    int[][] items = {{7, 8, 9}, {10, 99, 99}};
    TextPage[] notes = {TextPage.of("a", "b", "c"), TextPage.of("d", "?", "?")};
    return ChangeCargo.builder(new UUID(0, 1), 0)
        .table(
            "stock",
            table ->
                table
                    .insert("item", ColumnValues.of(items, 4, null))
                    .insert("note", ColumnValues.of(notes, 4, null)))
        .build();
  }

  private static ChangeCargo update(long snapshot, long[][] rows, int[][] items, int count) {
    return ChangeCargo.builder(new UUID(0, snapshot + 1), snapshot)
        .table(
            "stock",
            table ->
                table.update(
                    "item",
                    ColumnValues.of(rows, count, null),
                    ColumnValues.of(items, count, null)))
        .build();
  }

  @Test
  void isNoRow() throws ShipmentException {
    ChangeCargo cargo = insert();
    store.commit(cargo);

    StoredTable stock = store.snapshot().table("stock");
    assertThat(Columns.valuesOf(stock, "item")).containsExactly(0, 0, 7, 8, 9, 10);
    assertThat(Columns.valuesOf(stock, "note")).containsExactly("", "", "a", "b", "c", "d");
    ColumnValues read = stock.column("item").insertedFrom(2);
    assertThat(CargoDigest.ofColumn(read))
        .isEqualTo(CargoDigest.ofColumn(cargo.tables().get(0).insertedColumns().get(0).values()));
  }

  @Test
  void isNoUpdatedRow() throws ShipmentException {
    store.commit(insert());
    long outside = 1L << 50;

    store.commit(update(1, new long[][] {{1, 5, outside, outside}}, new int[][] {{3, 4, 5}}, 2));
    store.commit(update(2, new long[][] {{3, 0}, {2, 2}}, new int[][] {{6, 5, 4, 1}}, 3));

    StoredTable stock = store.snapshot().table("stock");
    assertThat(Columns.valuesOf(stock, "item")).containsExactly(5, 3, 4, 6, 9, 4);
  }

  @Test
  void isLeftOutWhereAnUpdateCopiesThePage() throws ShipmentException {
    store.commit(insert());

    store.commit(update(1, new long[][] {{5}}, new int[][] {{4}}, 1));

    Extent inserted = store.snapshot().table("stock").column("item").extent(1);
    assertThat(Array.getLength(inserted.page(1))).isEqualTo(1);
  }

  @Test
  void doesNotHideARowThatIsOutsideOrRepeated() throws ShipmentException {
    store.commit(insert());

    assertThatThrownBy(
            () -> store.commit(update(1, new long[][] {{1, 6, 0}}, new int[][] {{3, 4}}, 2)))
        .hasMessageContaining("row 6 is outside the table's 6 rows");
    assertThatThrownBy(
            () -> store.commit(update(1, new long[][] {{1, 0, 1, 5}}, new int[][] {{3, 4, 5}}, 3)))
        .hasMessageContaining("row 1 is updated twice");
  }
}
