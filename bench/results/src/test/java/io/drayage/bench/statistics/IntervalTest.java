package io.drayage.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IntervalTest {
  /** The intervals of tables of the sign test. */
  @ParameterizedTest
  @CsvSource({"1,1,1", "5,1,5", "6,1,6", "8,1,8", "9,2,8", "12,3,10", "15,4,12", "20,6,15"})
  void takesTheIntervalOfTheMedianFromTheBinomialDistribution(int count, int low, int high) {
    List<Double> values = IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList();
    assertThat(Interval.ofMedian(values)).isEqualTo(new Interval((count + 1) / 2.0, low, high));
  }

  @Test
  void takesTheIntervalOfTheTrimmedMean() {
    List<Double> with = List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
    List<Double> without = Stream.of(-0.9, -0.3, -0.2, -0.2, -0.1, 0.4).map(Math::exp).toList();

    // Trimmed mean -0.2; winsorized -0.3, -0.3, -0.2, -0.2, -0.1, -0.1: squares 0.04; kept 4.
    double half = 3.182446 * Math.sqrt(0.04 / 12);
    Interval ratio = Interval.ofPairedRatio(without, with);
    assertThat(ratio.estimate()).isCloseTo(Math.exp(-0.2), within(1e-9));
    assertThat(ratio.low()).isCloseTo(Math.exp(-0.2 - half), within(1e-6));
    assertThat(ratio.high()).isCloseTo(Math.exp(-0.2 + half), within(1e-6));
  }

  @Test
  void refusesTooFewTurns() {
    assertThatThrownBy(() -> Interval.ofPairedRatio(List.of(1.0, 1.0), List.of(1.0, 1.0)))
        .hasMessageContaining("at least 5");
  }

  @Test
  void takesTheRatioOfRunsByWelchsTest() {
    double[] before = {1, 1.1, 1.2, 1.3, 1.4};
    double[] after = {2, 2.1, 2.2, 2.3, 2.4};
    // Means of the logarithms 0.17521 and 0.78594, variances 0.003589 and 0.001051 of the means;
    // 6.15 degrees of freedom, whose 99.5 % are 3.672.
    Interval ratio = Interval.ofRuns(after, before);
    assertThat(ratio.estimate()).isCloseTo(1.8418, within(1e-3));
    assertThat(Math.log(ratio.high()) - Math.log(ratio.estimate()))
        .isCloseTo(Math.log(ratio.estimate()) - Math.log(ratio.low()), within(1e-9))
        .isCloseTo(0.25, within(0.02));
    assertThat(before).isSorted();
  }

  @Test
  void overlapsWhatItTouches() {
    Interval one = new Interval(2, 1, 3);
    assertThat(one.overlaps(new Interval(4, 3, 5))).isTrue();
    assertThat(new Interval(4, 3, 5).overlaps(one)).isTrue();
    assertThat(one.overlaps(new Interval(4, 3.1, 5))).isFalse();
  }
}
