package io.drayage.bench.statistics;

import java.util.stream.DoubleStream;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.PValueMethod;

/** Mann and Whitney's test of two independent samples, two-sided. */
public final class RankTest {
  /** A difference counts if chance explains it in fewer cases than this. */
  public static final double ALPHA = 0.05;

  private RankTest() {}

  /**
   * The probability of ranks at least as different if nothing differed: exact without ties, else by
   * the normal distribution.
   */
  public static double p(double[] one, double[] other) {
    boolean allEqual =
        DoubleStream.concat(DoubleStream.of(one), DoubleStream.of(other)).distinct().count() == 1;
    return allEqual
        ? 1
        : MannWhitneyUTest.withDefaults()
            .with(AlternativeHypothesis.TWO_SIDED)
            .with(PValueMethod.AUTO)
            .test(one, other)
            .getPValue();
  }

  /** Whether samples of these sizes can never show a difference, not even without any overlap. */
  public static boolean isHopeless(int oneCount, int otherCount) {
    double waysToRank = 1;
    for (int i = 1; i <= oneCount; i++) {
      waysToRank = waysToRank * (otherCount + i) / i;
    }
    return 2 / waysToRank >= ALPHA;
  }
}
