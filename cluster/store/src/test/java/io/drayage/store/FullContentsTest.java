package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.store.column.StoredTable;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the size of a full snapshot, and that rows keep their numbers. */
final class FullContentsTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int ROWS = 5 * PAGE + 100;

  private final MemoryStore store = new MemoryStore();
  private int commits;

  private void commit(ChangeCargo.Builder cargo) throws Exception {
    store.commit(cargo.build());
  }

  private ChangeCargo.Builder next() {
    return ChangeCargo.builder(new UUID(7, ++commits), store.snapshot().timestamp());
  }

  private StoreSnapshot reloaded() {
    StoreSnapshot before = store.snapshot();
    return FullContents.toSnapshot(before.timestamp(), FullContents.toCargo(before));
  }

  private long storedValues() {
    return FullContents.toCargo(store.snapshot()).tables().stream()
        .filter(part -> part.table().startsWith(FullContents.VALUES))
        .flatMap(part -> part.insertedColumns().stream())
        .mapToLong(column -> column.values().rowCount())
        .sum();
  }

  private static String text(long row) {
    return "text " + row;
  }

  private void insertRows() throws Exception {
    int[][] numbers = new int[1][ROWS];
    String[][] texts = new String[1][ROWS];
    RowBits validity = RowBits.allSet(ROWS);
    for (int row = 0; row < ROWS; row++) {
      numbers[0][row] = row;
      texts[0][row] = text(row);
      if (row % 3 == 0) {
        validity.clear(row);
      }
    }
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.nullable("number", ColumnType.INT),
            ColumnSchema.of("text", ColumnType.STRING)),
        0);
    commit(
        next()
            .table(
                "t",
                t ->
                    t.insert("number", ColumnValues.of(numbers, validity))
                        .insert("text", ColumnValues.ofTexts(texts))));
  }

  private void delete(int from, int to) throws Exception {
    RowBits rows = new RowBits(ROWS);
    for (int row = from; row < to; row++) {
      rows.set(row);
    }
    commit(next().table("t", t -> t.delete(rows)));
  }

  @Test
  void valuesOfDeletedRowsTakeNoSpaceAndRowsKeepTheirNumbers() throws Exception {
    insertRows();
    assertThat(storedValues()).isEqualTo(2L * ROWS);
    int deletedFrom = PAGE - 10;
    int deletedTo = 4 * PAGE;
    delete(deletedFrom, deletedTo);

    assertThat(storedValues()).isEqualTo(2L * (ROWS - 3 * PAGE));
    StoredTable table = reloaded().table("t");
    assertThat(table.rowCount()).isEqualTo(ROWS);
    assertThat(table.liveRowCount()).isEqualTo(ROWS - (deletedTo - deletedFrom));
    for (int row : new int[] {0, 1, deletedFrom - 1, deletedTo, deletedTo + 1, ROWS - 1}) {
      assertThat(table.isDeleted(row)).isFalse();
      assertThat(table.get("number", row)).isEqualTo(row % 3 == 0 ? null : row);
      assertThat(table.get("text", row)).isEqualTo(text(row));
    }
    for (int row : new int[] {deletedFrom, PAGE, deletedTo - 1}) {
      assertThat(table.isDeleted(row)).isTrue();
      assertThat(table.get("text", row)).isEqualTo("");
    }
  }

  /** The extents have any size and any state. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverHasBeenCommittedIsLoaded(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long rows = random.nextInt(3) * (PAGE + 1_000L);
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.nullable("number", ColumnType.LONG),
            ColumnSchema.nullable("text", ColumnType.STRING)),
        rows);
    for (int i = 0; i < 8; i++) {
      int count = 1 + random.nextInt(i % 2 == 0 ? 50 : PAGE + 5_000);
      commit(next().table("t", t -> insertRandomRows(random, count, t)));
      rows += count;
      changeRandomRows(random, rows);
    }

    StoredTable table = store.snapshot().table("t");
    StoredTable loaded = reloaded().table("t");
    assertThat(loaded.rowCount()).isEqualTo(rows);
    assertThat(loaded.liveRowCount()).isEqualTo(table.liveRowCount());
    for (long row = 0; row < rows; row++) {
      boolean same =
          table.isDeleted(row)
              ? loaded.isDeleted(row)
              : Objects.equals(loaded.get("number", row), table.get("number", row))
                  && Objects.equals(loaded.get("text", row), table.get("text", row));
      assertThat(same).as("seed %d, row %d", seed, row).isTrue();
    }
  }

  private static void insertRandomRows(
      SplittableRandom random, int count, ChangeCargo.TableChangesBuilder table) {
    long[][] numbers = new long[1][count];
    String[][] texts = new String[1][count];
    RowBits validity = RowBits.allSet(count);
    for (int row = 0; row < count; row++) {
      numbers[0][row] = random.nextLong();
      texts[0][row] = random.nextInt(5) == 0 ? null : text(row);
      if (random.nextInt(5) == 0) {
        validity.clear(row);
      }
    }
    table
        .insert("number", ColumnValues.of(numbers, random.nextBoolean() ? validity : null))
        .insert("text", ColumnValues.ofTexts(texts));
  }

  private void changeRandomRows(SplittableRandom random, long rows) throws Exception {
    Transaction transaction = Transaction.on(store.snapshot());
    for (int i = 0; i < 50; i++) {
      long row = random.nextLong(rows);
      if (!transaction.isDeleted("t", row)) {
        transaction.update("t", "number", row, random.nextInt(3) == 0 ? null : random.nextLong());
        if (random.nextBoolean()) {
          transaction.delete("t", row);
        }
      }
    }
    store.commit(transaction.toCargo());
    long from = random.nextLong(rows);
    RowBits range = new RowBits(rows);
    for (long row = from; row < Math.min(rows, from + PAGE + 10); row++) {
      if (!store.snapshot().table("t").isDeleted(row) && random.nextInt(50) > 0) {
        range.set(row);
      }
    }
    commit(next().table("t", t -> t.delete(range)));
  }

  /** A log entry may have been made before rows were deleted. */
  @Test
  void laterChangesGoToTheirRows() throws Exception {
    insertRows();
    StoreSnapshot base = store.snapshot();
    delete(0, 5 * PAGE);
    StoreSnapshot full = reloaded();
    MemoryStore loaded = new MemoryStore(full, store.known(), Runnable::run, 1, 1 << 20);
    Transaction old = Transaction.on(base);
    old.update("t", "number", 2 * PAGE, -1);
    old.update("t", "number", ROWS - 1, -2);
    old.insert("t", Map.of("number", 1, "text", "new"));

    Replays.replay(loaded, old.toCargo(), full.timestamp() + 1, null);

    StoredTable table = loaded.snapshot().table("t");
    assertThat(table.isDeleted(2 * PAGE)).isTrue();
    assertThat(table.get("number", ROWS - 1)).isEqualTo(-2);
    assertThat(table.get("text", ROWS)).isEqualTo("new");
    assertThat(table.rowCount()).isEqualTo(ROWS + 1);
  }

  /** The snapshot is not nine times as large, as with the number of each row. */
  @Test
  void writtenPagesOfInitialRowsTakeTheirValuesOnly() throws Exception {
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.of("flag", ColumnType.BYTE),
            ColumnSchema.of("never", ColumnType.LONG)),
        ROWS);
    commit(
        next()
            .table(
                "t",
                t ->
                    t.update(
                        "flag",
                        Columns.rows(3, 2L * PAGE, ROWS - 1),
                        ColumnValues.of(new byte[][] {{1, 2, 3}}))));

    ChangeCargo cargo = FullContents.toCargo(store.snapshot());
    assertThat(storedValues()).isEqualTo(2L * PAGE + 100);
    assertThat(CargoSize.rawBytes(cargo)).isLessThan(2L * PAGE + 100 + 10_000);
    StoredTable table = reloaded().table("t");
    assertThat(table.get("flag", 3)).isEqualTo((byte) 1);
    assertThat(table.get("flag", 2 * PAGE)).isEqualTo((byte) 2);
    assertThat(table.get("flag", PAGE)).isEqualTo((byte) 0);
    assertThat(table.get("flag", ROWS - 1)).isEqualTo((byte) 3);
    assertThat(table.get("never", ROWS - 1)).isEqualTo(0L);
    assertThat(storedValues()).isEqualTo(2L * PAGE + 100);
  }

  @Test
  void refusesAnotherLayout() {
    ChangeCargo other = ChangeCargo.builder(new UUID(1, 1), 1).build();
    assertThatThrownBy(() -> FullContents.toSnapshot(1, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it has no table '.pages'");
  }
}
