package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.frame.ShipmentException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Updates that are many enough to be applied by several tasks, nulls included. */
class ParallelUpdateTest {
  private static final int ROWS = 3 * UpdateCommit.UPDATES_PER_TASK + 12_345;

  /** {@code row} in each row, null where {@code isNull}. */
  private static ColumnValues column(int rowsPerPage, int step, LongPredicate isNull) {
    int rows = (ROWS + step - 1) / step;
    int[][] pages = new int[(rows + rowsPerPage - 1) / rowsPerPage][];
    RowBits validity = RowBits.allSet(rows);
    for (int p = 0; p < pages.length; p++) {
      int first = p * rowsPerPage;
      pages[p] = new int[Math.min(rowsPerPage, rows - first)];
      for (int i = 0; i < pages[p].length; i++) {
        pages[p][i] = step == 1 ? first + i : -(first + i) * step;
        if (isNull.test((long) (first + i) * step)) {
          validity.clear(first + i);
        }
      }
    }
    return ColumnValues.of(pages, validity);
  }

  private static ColumnValues evenRows() {
    ColumnValues rowIds = ColumnValues.allocate(ColumnType.LONG, (ROWS + 1) / 2, false);
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.pageForWrite(p);
      for (int i = 0; i < page.length; i++) {
        page[i] = 2 * ((long) p * rowIds.rowsPerPage() + i);
      }
    }
    return rowIds;
  }

  @ParameterizedTest
  @ValueSource(ints = {ColumnValues.DEFAULT_ROWS_PER_PAGE, 100_003, 1_500_001, ROWS})
  void leavesEachRowWithItsValue(int rowsPerPage) throws ShipmentException {
    MemoryStore store = new MemoryStore(0, ForkJoinPool.commonPool(), 4);
    store.createTable(TableSchema.of("t", ColumnSchema.nullable("c", ColumnType.INT)), 0);
    store.commit(
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table("t", t -> t.insert("c", column(rowsPerPage, 1, row -> row % 5 == 0)))
            .build());
    ChangeCargo update =
        ChangeCargo.builder(new UUID(0, 2), 1)
            .table("t", t -> t.update("c", evenRows(), column(70_000, 2, row -> row % 14 == 0)))
            .build();

    store.commit(update);

    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(update));
    StoredColumn column = store.snapshot().table("t").column("c");
    for (int row = 0; row < ROWS; row++) {
      boolean isNull = row % 2 == 0 ? row % 14 == 0 : row % 5 == 0;
      Object expected = isNull ? null : Integer.valueOf(row % 2 == 0 ? -row : row);
      if (!Objects.equals(column.get(row), expected)) {
        fail("row %d is %s, expected %s", row, column.get(row), expected);
      }
    }
  }
}
