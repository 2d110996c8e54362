package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.OnDemand;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ColumnOnDemandTest {
  private static final PageSource LONGS = page -> new long[] {page, -page};

  @ParameterizedTest
  @EnumSource(ColumnType.class)
  void isTheColumnThatItsPagesMake(ColumnType type) {
    ColumnValues inMemory = RandomCargo.column(1, type, 1_000, true);
    OnDemand pages = new OnDemand();
    ColumnValues onDemand = pages.of(inMemory, 64);

    assertThat(onDemand.pageCount()).isEqualTo(16);
    assertThat(onDemand.rowsInPage(15)).isEqualTo(40);
    assertThat(CargoDigest.ofColumn(onDemand)).isEqualTo(CargoDigest.ofColumn(inMemory));
    assertThat(pages.pagesMade()).as("each once for the digest").isEqualTo(16);
    assertThat(CargoSize.rawBytes(onDemand)).isEqualTo(CargoSize.rawBytes(inMemory));
    for (long row = 0; row < 1_000; row += 7) {
      assertThat(onDemand.get(row)).isEqualTo(inMemory.get(row));
    }
  }

  @Test
  void lastPageMayHaveSpareRows() {
    ColumnValues values = ColumnValues.onDemand(ColumnType.LONG, 3, 2, LONGS);
    assertThat(CargoDigest.ofColumn(values))
        .isEqualTo(CargoDigest.ofColumn(ColumnValues.of(new long[][] {{0, 0}, {1}})));
  }

  @Test
  void heldPagesAreMadeOnce() {
    AtomicInteger made = new AtomicInteger();
    ColumnValues values =
        ColumnValues.onDemand(
            ColumnType.LONG,
            100,
            10,
            page -> {
              made.incrementAndGet();
              return new long[10];
            });
    ColumnValues pinned = values.pinned(15, 20);
    for (int i = 0; i < 3; i++) {
      pinned.page(1);
      pinned.page(2);
      pinned.page(3);
    }
    assertThat(made).hasValue(3);
    pinned.page(9);
    pinned.page(9);
    assertThat(made).as("a page of other rows is not kept").hasValue(5);
  }

  @Test
  void refusesPagesThatAreNotWhatTheColumnSays() {
    ColumnValues ints = ColumnValues.onDemand(ColumnType.INT, 2, 2, LONGS);
    assertThatThrownBy(() -> ints.page(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("page 0 on demand is no int[] of 2 to 2 elements");
    ColumnValues longer = ColumnValues.onDemand(ColumnType.LONG, 7, 3, LONGS);
    assertThatThrownBy(() -> longer.page(1)).hasMessageContaining("no long[] of 3 to 3 elements");
    assertThatThrownBy(() -> longer.page(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void refusesRowsThatNoPagesCanHold() {
    assertThatThrownBy(() -> ColumnValues.onDemand(ColumnType.LONG, -1, 2, LONGS))
        .hasMessageContaining("-1 rows are outside 0 to");
    assertThatThrownBy(() -> ColumnValues.onDemand(ColumnType.LONG, 1, 0, LONGS))
        .hasMessage("1 rows cannot be in pages of 0");
    assertThatThrownBy(() -> ColumnValues.onDemand(ColumnType.LONG, 1L << 40, 1, LONGS))
        .hasMessageContaining("cannot be in pages of 1");
    assertThatThrownBy(() -> ColumnValues.onDemand(ColumnType.LONG, 2, 2, LONGS, new RowBits(3)))
        .hasMessage("3 validity bits for 2 rows");
  }

  @Test
  void cannotBeWrittenTo() {
    ColumnValues values = ColumnValues.onDemand(ColumnType.LONG, 2, 2, LONGS);
    assertThatThrownBy(() -> values.pageForWrite(0))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void hasNoPagesWithoutRows() {
    ColumnValues none = ColumnValues.onDemand(ColumnType.LONG, 0, 2, LONGS);
    assertThat(none.pageCount()).isZero();
    assertThat(none.pinned(0, 0)).isSameAs(none);
  }
}
