package io.drayage.store.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PageSliceTest {
  @Test
  void slicesHaveTheValuesAndNullsOfTheirRows() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Extent> extents = new ArrayList<>();
      long rows = 0;
      for (int e = random.nextInt(1, 5); e > 0; e--) {
        ColumnValues values = values(random);
        extents.add(Extent.adopt(values, rows));
        rows += values.rowCount();
      }
      StoredColumn column = new StoredColumn(ColumnSchema.nullable("n", ColumnType.INT), extents);
      for (int i = 0; i < 20; i++) {
        long row = random.nextLong(rows);
        requireSame(column, row, column.slice(row), seed);
      }
    }
  }

  private static ColumnValues values(SplittableRandom random) {
    int perPage = random.nextInt(1, 300);
    int[][] pages = new int[random.nextInt(1, 4)][];
    int rows = 0;
    for (int p = 0; p < pages.length; p++) {
      pages[p] =
          random.ints(p < pages.length - 1 ? perPage : random.nextInt(1, perPage + 1)).toArray();
      rows += pages[p].length;
    }
    RowBits validity = null;
    if (random.nextBoolean()) {
      validity = RowBits.allSet(rows);
      for (int i = random.nextInt(rows + 1); i > 0; i--) {
        validity.clear(random.nextInt(rows));
      }
    }
    return ColumnValues.of(pages, validity);
  }

  private static void requireSame(StoredColumn column, long row, PageSlice slice, int seed) {
    int[] page = (int[]) slice.page();
    int nulls = 0;
    for (int i = 0; i < slice.rows(); i++) {
      long[] bits = slice.validity();
      boolean isNull = bits != null && (bits[i >>> 6] >>> i & 1) == 0;
      nulls += isNull ? 1 : 0;
      assertThat(isNull ? null : page[slice.offset() + i])
          .as("seed %s, row %s", seed, row + i)
          .isEqualTo(column.get(row + i));
    }
    assertThat(slice.nullCount()).isEqualTo(nulls);
    assertThat(slice.validity() == null).isEqualTo(nulls == 0);
  }

  @Test
  void nullsOfAnUpdateCountAndDefaultsHaveNoPage() {
    StoredColumn defaults =
        StoredColumn.ofDefaults(ColumnSchema.nullable("n", ColumnType.LONG), 100_000);
    assertThat(defaults.slice(70_000).page()).isNull();
    assertThat(defaults.slice(70_000).rows()).isEqualTo(30_000);
    assertThat(defaults.slice(70_000).nullCount()).isZero();

    BitSet pages = new BitSet();
    pages.set(1);
    ColumnValues values = ColumnValues.allocate(ColumnType.LONG, 100_000 - 65_536, true);
    values.pageForWrite(0);
    values.validity().clear(5_000);
    StoredColumn stored = LivePages.toColumn(defaults.schema(), 100_000, pages, values);
    PageSlice slice = stored.slice(65_536 + 4_970);
    assertThat(slice.nullCount()).isEqualTo(1);
    assertThat(slice.validity()[0]).isEqualTo(~(1L << 30));
  }
}
