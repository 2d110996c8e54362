package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RowRangeTest {
  private static final int PAGE = 65_536;

  @Test
  void partsAreAllRowsInWholePages() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      long rows = random.nextLong(1, 1L << random.nextInt(1, 40));
      int count = random.nextInt(1, 200);
      long next = 0;
      for (int part = 0; part < count; part++) {
        ScanRange range = new ScanRange(part, count);
        assertThat(range.firstRow(rows, null)).isEqualTo(next);
        next = range.endRow(rows, null);
        assertThat(next % PAGE == 0 || next == rows).isTrue();
      }
      assertThat(next).isEqualTo(rows);
    }
  }

  @Test
  void partsHaveAboutAsManyOfTheSelectedPages() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 300; i++) {
      int pages = random.nextInt(1, 300);
      long rows = (long) pages * PAGE - random.nextInt(PAGE);
      BitSet selected = new BitSet();
      random.ints(random.nextInt(20), 0, pages).forEach(selected::set);
      int count = random.nextInt(1, 1 + Math.max(1, selected.cardinality()));
      long next = new ScanRange(0, count).firstRow(rows, selected);
      assertThat(selected.isEmpty() || next == selected.nextSetBit(0) * (long) PAGE).isTrue();
      for (int part = 0; part < count; part++) {
        ScanRange range = new ScanRange(part, count);
        assertThat(range.firstRow(rows, selected)).isEqualTo(next);
        next = range.endRow(rows, selected);
        long first = range.firstRow(rows, selected) / PAGE;
        long own =
            selected.stream()
                .filter(page -> page >= first && page * (long) PAGE < range.endRow(rows, selected))
                .count();
        assertThat(own)
            .isBetween((long) selected.cardinality() / count, selected.cardinality() / count + 1L);
      }
      assertThat(next).isEqualTo(rows);
    }
  }

  @Test
  void thereAreAsManyPartsAsPay() {
    assertThat(ScanRange.count(0, 0, 8)).isZero();
    assertThat(ScanRange.count(10, 80, 8)).as("few rows").isEqualTo(1);
    assertThat(ScanRange.count(1_000_000, 8_000_000, 4)).as("as many as tasks").isEqualTo(4);
    assertThat(ScanRange.count(1_000_000, 2_000_000, 64)).as("at least 1 MiB").isEqualTo(1);
    assertThat(ScanRange.count(100_000_000, 800_000_000, 4)).as("at most 64 MiB").isEqualTo(12);
    assertThat(ScanRange.count(PAGE, 1L << 30, 4)).as("whole pages").isEqualTo(1);
  }
}
