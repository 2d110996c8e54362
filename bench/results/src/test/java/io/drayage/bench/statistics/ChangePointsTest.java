package io.drayage.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class ChangePointsTest {
  private static double[] noise(int length, double share, Random random) {
    return random.doubles(length, 0, 1).map(unused -> share * random.nextGaussian()).toArray();
  }

  private static void step(double[] series, int from, int to, double height) {
    for (int i = from; i < to; i++) {
      series[i] += height;
    }
  }

  @ParameterizedTest
  @CsvSource({"20, 10", "20, 5", "30, 25", "60, 40"})
  void findsAStepAtItsIndex(int length, int at) {
    double[] series = noise(length, 0.03, new Random(length + at));
    step(series, at, length, 0.15);
    assertThat(ChangePoints.of(series)).containsExactly(at);
    assertThat(ChangePoints.of(series)).as("again").containsExactly(at);
  }

  @Test
  void findsAStepOfADeterministicMeasure() {
    double[] series = new double[20];
    step(series, 12, 20, 1e-6);
    assertThat(ChangePoints.of(series)).containsExactly(12);
  }

  @Test
  void findsAChangeThatALaterOneUndoes() {
    double[] series = noise(30, 0.02, new Random(5));
    step(series, 10, 16, 0.15);
    assertThat(ChangePoints.of(series)).containsExactly(10, 16);
  }

  @Test
  void findsSeveralSteps() {
    double[] series = noise(60, 0.03, new Random(6));
    step(series, 20, 60, 0.2);
    step(series, 40, 60, -0.35);
    assertThat(ChangePoints.of(series)).containsExactly(20, 40);
  }

  /** A slowdown of 15 % under noise of 4 %, to within a run of its place. */
  @Test
  void findsMostStepsOfRealisticSize() {
    Random random = new Random(7);
    int found = 0;
    for (int i = 0; i < 100; i++) {
      double[] series = noise(20, 0.04, random);
      step(series, 10, 20, Math.log(1.15));
      List<Integer> changes = ChangePoints.of(series);
      found += changes.stream().anyMatch(at -> Math.abs(at - 10) <= 1) ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(95);
  }

  /** False changes in normal noise, and in noise with slow outliers. */
  @ParameterizedTest
  @CsvSource({"12, false", "20, false", "20, true", "40, false"})
  void marksHardlyEverNoise(int length, boolean hasOutliers) {
    Random random = new Random(8);
    int wrong = 0;
    int count = 500;
    for (int i = 0; i < count; i++) {
      double[] series = noise(length, 0.04, random);
      if (hasOutliers) {
        Arrays.setAll(
            series, at -> series[at] + (random.nextInt(10) == 0 ? 0.3 * random.nextDouble() : 0));
      }
      wrong += ChangePoints.of(series).isEmpty() ? 0 : 1;
    }
    // The expected number is 3; by the binomial distribution 10 are exceeded once in 3,000 times.
    assertThat(wrong).isLessThanOrEqualTo(10);
  }

  @Test
  void hasNoneInAShortOrConstantSeries() {
    assertThat(ChangePoints.of(new double[0])).isEmpty();
    assertThat(ChangePoints.of(new double[] {1, 1, 1, 5, 5})).isEmpty();
    assertThat(ChangePoints.of(new double[50])).isEmpty();
  }

  @Test
  void oneSlowRunIsNoChange() {
    double[] series = noise(20, 0.03, new Random(9));
    series[12] += 1;
    assertThat(ChangePoints.of(series)).isEmpty();
  }
}
