package io.drayage.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Comparisons of generated runs. Starts vary by 4 %, and turns by 8 %; one turn in ten has half as
 * much time again.
 */
final class ScatterTest {
  private static final long SEED = 20261126;
  private static final int COMPARISONS = 1_000;
  private static final int TURNS = 15;
  private static final double STARTS = 0.04;
  private static final double BOUND = 10;

  private final Random random = new Random(SEED);

  /** Returns the median turn of one start. */
  private double run(double seconds) {
    double ofStart = seconds * Math.exp(STARTS * random.nextGaussian());
    double[] turns =
        IntStream.range(0, TURNS)
            .mapToDouble(
                turn ->
                    ofStart
                        * Math.exp(0.08 * random.nextGaussian())
                        * (random.nextInt(10) == 0 ? 1.5 : 1))
            .sorted()
            .toArray();
    return turns[TURNS / 2];
  }

  private double[] side(int runs, double seconds) {
    return IntStream.range(0, runs).mapToDouble(i -> run(seconds)).toArray();
  }

  /** Number of comparisons with the verdict. */
  private long count(int runs, double slowdown, String verdict) {
    return IntStream.range(0, COMPARISONS)
        .mapToObj(
            i ->
                Difference.of(
                    "a", ComparedMetric.COMMIT, side(runs, 0.2), side(runs, 0.2 * slowdown), BOUND))
        .filter(difference -> difference.verdict().equals(verdict))
        .count();
  }

  @Test
  void callsTheSameCodeDifferentAtMostOnceInTwenty() {
    for (int runs : new int[] {3, 5, 8}) {
      long different = count(runs, 1, "better") + count(runs, 1, "worse");
      assertThat(different)
          .as("%d of %d, %d runs a side, seed %d", different, COMPARISONS, runs, SEED)
          .isLessThanOrEqualTo(COMPARISONS / 20);
      assertThat(count(runs, 1, "worse"))
          .as("exit code 3, %d runs a side, seed %d", runs, SEED)
          .isLessThanOrEqualTo(COMPARISONS / 50);
    }
  }

  @Test
  void findsASlowdownOfTenPercentEightTimesInTen() {
    assertThat(count(10, 1.1, "worse"))
        .as("of %d, seed %d", COMPARISONS, SEED)
        .isGreaterThanOrEqualTo(COMPARISONS * 8 / 10);
  }

  @Test
  void tenRunsTellOfTheSameCodeThatItIsWithinTheBound() {
    long same = count(10, 1, "no relevant change");
    assertThat(same).as("of %d, seed %d", COMPARISONS, SEED).isGreaterThan(COMPARISONS * 8 / 10);
    assertThat(count(3, 1, "no relevant change")).as("3 are too few").isLessThan(COMPARISONS / 2);
  }
}
