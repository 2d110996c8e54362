package io.drayage.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpreadTest {
  /** The intervals of tables of the sign test. */
  @ParameterizedTest
  @CsvSource({"1,1,1", "5,1,5", "6,1,6", "8,1,8", "9,2,8", "12,3,10", "15,4,12", "20,6,15"})
  void takesTheIntervalOfTheMedianFromTheBinomialDistribution(int count, int low, int high) {
    List<Double> values = IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList();
    assertThat(Spread.of(values)).isEqualTo(new Spread((count + 1) / 2.0, low, high));
  }

  @Test
  void overlapsWhatItTouches() {
    Spread one = new Spread(2, 1, 3);
    assertThat(one.overlaps(new Spread(4, 3, 5))).isTrue();
    assertThat(new Spread(4, 3, 5).overlaps(one)).isTrue();
    assertThat(one.overlaps(new Spread(4, 3.1, 5))).isFalse();
  }
}
