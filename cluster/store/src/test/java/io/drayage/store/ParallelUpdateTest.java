package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredColumn;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntUnaryOperator;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests updates, including nulls, that are many enough for several tasks. */
@Tag("ci")
class ParallelUpdateTest {
  private static final int ROWS = 3 * UpdateCommit.UPDATES_PER_TASK + 12_345;

  /** The number of updates: one for each even row. */
  private static final int UPDATES = (ROWS + 1) / 2;

  /** A prime that does not divide {@link #UPDATES}: its multiples meet every update once. */
  private static final long STRIDE = 1_000_003;

  private static long rowOf(int update, boolean sorted) {
    return 2 * (sorted ? update : update * STRIDE % UPDATES);
  }

  private static boolean isNullAfterInsert(long row) {
    return row % 5 == 0;
  }

  private static boolean isNullAfterUpdate(long row) {
    return row % 7 == 0;
  }

  /** Each row holds its number. */
  private static ColumnValues inserted(int rowsPerPage) {
    return column(rowsPerPage, ROWS, i -> i, ParallelUpdateTest::isNullAfterInsert);
  }

  /** Each updated row gets its number with the opposite sign. */
  private static ColumnValues updated(boolean sorted) {
    return column(
        70_000, UPDATES, i -> (int) -rowOf(i, sorted), negative -> isNullAfterUpdate(-negative));
  }

  private static ColumnValues column(
      int rowsPerPage, int rows, IntUnaryOperator valueOf, LongPredicate isNull) {
    int[][] pages = new int[(rows + rowsPerPage - 1) / rowsPerPage][];
    RowBits validity = RowBits.allSet(rows);
    for (int p = 0; p < pages.length; p++) {
      int first = p * rowsPerPage;
      pages[p] = new int[Math.min(rowsPerPage, rows - first)];
      for (int i = 0; i < pages[p].length; i++) {
        pages[p][i] = valueOf.applyAsInt(first + i);
        if (isNull.test(pages[p][i])) {
          validity.clear(first + i);
        }
      }
    }
    return ColumnValues.of(pages, validity);
  }

  private static ColumnValues rowIds(boolean sorted) {
    ColumnValues rowIds = ColumnValues.allocate(ColumnType.LONG, UPDATES, false);
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.pageForWrite(p);
      for (int i = 0; i < page.length; i++) {
        page[i] = rowOf(p * rowIds.rowsPerPage() + i, sorted);
      }
    }
    return rowIds;
  }

  @ParameterizedTest
  @CsvSource({"65536, true", "100003, true", "1500001, true", "4000000, true", "65536, false"})
  void leavesEachRowWithItsValue(int rowsPerPage, boolean sorted) throws ShipmentException {
    MemoryStore store = new MemoryStore(0, ForkJoinPool.commonPool(), 4);
    store.createTable(TableSchema.of("t", ColumnSchema.nullable("c", ColumnType.INT)), 0);
    store.commit(
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table("t", t -> t.insert("c", inserted(rowsPerPage)))
            .build());
    ChangeCargo update =
        ChangeCargo.builder(new UUID(0, 2), 1)
            .table("t", t -> t.update("c", rowIds(sorted), updated(sorted)))
            .build();

    store.commit(update);

    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(update));
    assertEachRow(store.snapshot().table("t").column("c"));
  }

  private static void assertEachRow(StoredColumn column) {
    for (int row = 0; row < ROWS; row++) {
      boolean updated = row % 2 == 0;
      boolean isNull = updated ? isNullAfterUpdate(row) : isNullAfterInsert(row);
      Object expected = isNull ? null : Integer.valueOf(updated ? -row : row);
      if (!Objects.equals(column.get(row), expected)) {
        fail("row %d is %s, expected %s", row, column.get(row), expected);
      }
    }
  }
}
