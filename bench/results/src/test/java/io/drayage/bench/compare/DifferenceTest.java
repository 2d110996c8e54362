package io.drayage.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DifferenceTest {
  private static Difference of(double[] before, double[] after) {
    return Difference.of("a system", ComparedMetric.SQ, before, after, 10);
  }

  @Test
  void samplesThatOverlapMuchShowNoDifference() {
    Difference difference =
        of(new double[] {19, 22, 16, 29, 24}, new double[] {20, 11, 17, 12, 23});
    assertThat(difference.isSignificant()).isFalse();
    assertThat(difference.verdict()).isEqualTo("cannot be told");
    assertThat(difference.base()).isEqualTo(22);
    assertThat(difference.fresh()).isEqualTo(17);
  }

  @Test
  void samplesThatDoNotOverlapDiffer() {
    double[] less = {1, 1.1, 1.2, 1.3, 1.4};
    double[] more = {2, 2.1, 2.2, 2.3, 2.4};
    Difference difference = of(less, more);
    assertThat(difference.verdict()).isEqualTo("worse");
    assertThat(difference.changePercent()).isCloseTo(84.2, within(0.1));
    assertThat(difference.lowPercent()).isBetween(40.0, 83.3);
    assertThat(difference.highPercent()).isBetween(84.5, 145.0);
    assertThat(of(more, less).verdict()).isEqualTo("better");
  }

  @Test
  void twoAreTooFew() {
    Difference difference = of(new double[] {1, 1.01}, new double[] {4, 4.1, 4.2});
    assertThat(difference.tooFew()).isTrue();
    assertThat(difference.verdict()).isEqualTo("too few");
    assertThat(difference.intervalText()).isEqualTo("-");
  }

  @Test
  void noRelevantChangeIsWhereTheWholeIntervalIsWithinTheBound() {
    Difference close = of(new double[] {1, 1.01, 1.02}, new double[] {1.01, 1.02, 1});
    assertThat(close.verdict()).isEqualTo("no relevant change");
    assertThat(close.isDecided()).isTrue();
    Difference wide = of(new double[] {1, 1, 1, 1, 1}, new double[] {1, 1, 1, 1, 0.5});
    assertThat(wide.verdict()).isEqualTo("cannot be told");
    assertThat(wide.isDecided()).isFalse();
    assertThat(wide.highPercent()).isCloseTo(64.8, within(0.1));
  }

  @Test
  void aChangeThatIsShownAndDoesNotMatterIsNoRelevantOne() {
    double[] before = {1, 1.001, 1.002};
    double[] after = {1.03, 1.031, 1.032};
    for (Difference small : List.of(of(before, after), of(after, before))) {
      assertThat(small.isSignificant()).isTrue();
      assertThat(small.verdict()).isEqualTo("no relevant change");
      assertThat(small.isWorse()).isFalse();
      assertThat(small.isDecided()).isTrue();
    }
    assertThat(Difference.of("a system", ComparedMetric.SQ, before, after, 3).verdict())
        .isEqualTo("worse");
    assertThat(Difference.of("a system", ComparedMetric.SQ, after, before, 3).verdict())
        .isEqualTo("better");
  }

  @Test
  void theFurthestFiguresHaveFiniteChanges() {
    double[] least = {1e-9, 1e-9, 1e-9};
    double[] most = {1e9, 1e9, 1e9};
    assertThat(of(least, most).changeText()).isEqualTo("+1.0e+20 %");
    Difference both = of(new double[] {1e-9, 1e9, 1e9}, new double[] {1e9, 1e-9, 1e-9});
    assertThat(both.highPercent()).isFinite();
    assertThat(both.lowPercent()).isFinite();
  }

  @Test
  void constantFiguresMayDiffer() {
    double[] same = {7, 7, 7};
    assertThat(of(same, same.clone()).changePercent()).isZero();
    assertThat(of(same, same.clone()).verdict()).isEqualTo("no relevant change");
    assertThat(of(same, new double[] {8, 8, 8}).verdict()).isEqualTo("worse");
  }
}
