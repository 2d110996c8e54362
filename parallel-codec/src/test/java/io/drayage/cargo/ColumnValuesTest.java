package io.drayage.cargo;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ColumnValuesTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  @Test
  void rowsAreFoundInPagesOfAnySize() {
    ColumnValues values = ColumnValues.of(new int[][] {{1, 2, 3}, {4, 5, 6}, {7}});

    assertThat(values.type()).isEqualTo(ColumnType.INT);
    assertThat(values.rowCount()).isEqualTo(7);
    assertThat(values.rowsPerPage()).isEqualTo(3);
    assertThat(values.rowsInPage(1)).isEqualTo(3);
    assertThat(values.rowsInPage(2)).isEqualTo(1);
    for (int row = 0; row < 7; row++) {
      assertThat(values.get(row)).isEqualTo(row + 1);
    }
  }

  @Test
  void refusesRaggedPages() {
    assertRefused(new int[][] {{1, 2}, {3}, {4, 5}}, "page 1 of 3 has 1 rows, expected 2");
    assertRefused(new int[][] {{1}, {2, 3}}, "page 1 of 2 has 2 rows, expected 1 to 1");
    assertRefused(new int[][] {{1}, {}}, "page 1 of 2 has 0 rows, expected 1 to 1");
    assertRefused(new int[][] {{}}, "page 0 of 1 has 0 rows");
    assertRefused(new int[][] {{}, {1}}, "page 0 of 2 has 0 rows");
  }

  @Test
  void refusesMissingPage() {
    assertRefused(new int[][] {null}, "page 0 of 1 is missing");
    assertRefused(new long[][] {{1}, null}, "page 1 of 2 is missing");
  }

  @Test
  void lastPageMayHaveRoomBehindItsRows() {
    ColumnValues values = ColumnValues.of(new int[][] {{1, 2, 3}, {4, 9}}, 4, null);
    ColumnValues onePage = ColumnValues.of(new int[][] {{1, 9, 9, 9}}, 1, RowBits.allSet(1));

    assertThat(values.rowCount()).isEqualTo(4);
    assertThat(values.rowsInPage(1)).isEqualTo(1);
    assertThat(values.page(1)).isEqualTo(new int[] {4, 9});
    assertThat(values.fixedBytes()).isEqualTo(16);
    assertThatThrownBy(() -> values.get(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(onePage.rowsPerPage()).isEqualTo(4);
    assertThat(onePage.rowsInPage(0)).isEqualTo(1);
    assertThat(ColumnValues.of(new int[0][], 0, null).rowCount()).isZero();
  }

  @Test
  void refusesRowsThatDoNotEndInTheLastPage() {
    int[][] pages = {{1, 2}, {3, 4}};
    for (long rows : new long[] {Long.MIN_VALUE, -1, 0, 2, 5, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> ColumnValues.of(pages, rows, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(
              "%,d rows do not end in the last of 2 pages: expected 3 to 4", rows);
    }
    for (long rows : new long[] {-1, 1}) {
      assertThatThrownBy(() -> ColumnValues.of(new int[0][], rows, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("%,d rows do not end in the last of 0 pages", rows);
    }
    assertThatThrownBy(() -> ColumnValues.of(new int[][] {{1, 2}}, 1, RowBits.allSet(2)))
        .hasMessageContaining("2 validity bits for 1 rows");
  }

  @Test
  void refusesArraysOfNoColumnType() {
    assertRefused(new char[][] {{'a'}}, "no column type has pages of");
    assertRefused(new Object[][] {{"a"}}, "no column type has pages of");
  }

  private static void assertRefused(Object[] pages, String why) {
    assertFails(() -> ColumnValues.of(pages), IllegalArgumentException.class, why);
  }

  @Test
  void nullsAreClearBits() {
    RowBits validity = RowBits.allSet(2);
    validity.clear(1);
    ColumnValues ints = ColumnValues.of(new int[][] {{5, 6}}, validity);
    ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"a", null}});

    assertThat(List.of(ints.isNull(0), ints.isNull(1))).containsExactly(false, true);
    assertThat(List.of(texts.isNull(0), texts.isNull(1))).containsExactly(false, true);
    assertThat(ints.get(1)).isNull();
    assertThat(texts.get(1)).isNull();
  }

  @Test
  void refusesRowsOutside() {
    ColumnValues values = ColumnValues.of(new int[][] {{1, 2}});

    assertFails(
        () -> values.get(2), IndexOutOfBoundsException.class, "Index 2 out of bounds for length 2");
    assertThatThrownBy(() -> values.isNull(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void emptyColumnHasNoPages() {
    assertThat(ColumnValues.of(new int[0][]).rowCount()).isZero();
    assertThat(ColumnValues.allocate(ColumnType.LONG, 0, true).pageCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void allocatesPagesOfTheRightLengthWhenTheyAreWritten(ColumnType type) {
    ColumnValues values = ColumnValues.allocate(type, PAGE + 1, true);

    assertThat(values.pageCount()).isEqualTo(2);
    assertThat(values.page(1)).isNull();
    assertThat(values.pageForWrite(0)).isInstanceOf(type.pageClass());
    assertThat(ColumnType.rowsOf(values.pageForWrite(0))).isEqualTo(PAGE);
    assertThat(ColumnType.rowsOf(values.pageForWrite(1))).isEqualTo(1);
    assertThat(values.page(1)).isSameAs(values.pageForWrite(1));
    assertThat(values.validity()).isNotNull();
    assertThat(ColumnType.ofId(type.id())).isEqualTo(type);
  }

  @Test
  void severalThreadsGetOnePage() throws Exception {
    for (int round = 0; round < 50; round++) {
      ColumnValues values = ColumnValues.allocate(ColumnType.BYTE, 10, false);
      CyclicBarrier together = new CyclicBarrier(4);
      List<Running<Object>> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        threads.add(
            Waiting.start(
                () -> {
                  together.await();
                  return values.pageForWrite(0);
                }));
      }
      for (Running<Object> thread : threads) {
        assertThat(thread.get()).as("round %d", round).isSameAs(values.page(0));
      }
    }
  }

  @Test
  void refusesRowCountOutsideTheLimit() {
    for (long rows : new long[] {-1, ColumnValues.MAX_ROWS + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> ColumnValues.allocate(ColumnType.INT, rows, false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("%,d rows are outside 0 to", rows);
    }
  }
}
