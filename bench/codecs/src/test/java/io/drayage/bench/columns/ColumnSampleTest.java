package io.drayage.bench.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.frame.ShipmentException;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ColumnSampleTest {
  private static final int ROWS = 10_000;

  private static final ColumnValues NUMBERS =
      ColumnValues.of(new long[][] {LongStream.range(0, ROWS).toArray()});

  @Test
  void holdsAllOfAColumnThatIsInMemoryWithoutACopy() throws ShipmentException {
    ColumnSample sample = SampleColumns.of("n", NUMBERS, Long.MAX_VALUE);
    assertThat(sample.content()).isSameAs(NUMBERS);
    assertThat(sample.rawBytes()).isEqualTo(8L * ROWS).isEqualTo(sample.columnBytes());
    assertThat(sample.isPartial()).isFalse();
  }

  @Test
  void takesSegmentsFromAllOverAColumnThatIsMadeOnDemand() throws ShipmentException {
    RowBits validity = RowBits.allSet(ROWS);
    validity.clear(7);
    ColumnValues onDemand =
        ColumnValues.onDemand(ColumnType.LONG, ROWS, 4_096, NumbersOnDemand::page, validity);
    ColumnSample sample = SampleColumns.of("n", onDemand, 40_000);

    assertThat(sample.isPartial()).isTrue();
    assertThat(sample.rawBytes()).isBetween(20_000L, 40_000L);
    assertThat(sample.columnBytes()).isEqualTo(onDemand.fixedBytes());
    ColumnValues values = (ColumnValues) sample.content();
    assertThat(values.isOnDemand()).isFalse();
    assertThat(values.get(6)).isEqualTo(6L);
    assertThat(values.get(7)).isNull();
    long last = values.rowCount() - 1;
    assertThat((Long) Objects.requireNonNull(values.get(last))).isGreaterThan(ROWS / 2);
    sample.verify(values, "none");
    ColumnValues zeros = ColumnValues.of(new long[][] {new long[(int) values.rowCount()]});
    assertThatThrownBy(() -> sample.verify(zeros, "zeros"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("zeros decodes n to other values");
  }

  private static final class NumbersOnDemand {
    static Object page(int page) {
      long first = page * 4_096L;
      return LongStream.range(first, Math.min(ROWS, first + 4_096)).toArray();
    }
  }

  @Test
  void countsTextsAsAFileOfLinesHasThem() throws ShipmentException {
    String[] texts =
        IntStream.range(0, ROWS).mapToObj(i -> i % 2 == 0 ? "ä" : null).toArray(String[]::new);
    ColumnSample sample =
        SampleColumns.of("s", ColumnValues.ofTexts(new String[][] {texts}), Long.MAX_VALUE);
    assertThat(sample.rawBytes()).isEqualTo(2 * ROWS).isEqualTo(sample.columnBytes());
  }
}
