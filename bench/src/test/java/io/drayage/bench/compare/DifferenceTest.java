package io.drayage.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DifferenceTest {
  private static Difference of(double[] before, double[] after) {
    return Difference.of("a system", Metric.SQ, before, after);
  }

  /** The example of the documentation of SciPy's mannwhitneyu: U = 17, p = 1/9. */
  @Test
  void theRankTestIsExact() {
    double[] males = {19, 22, 16, 29, 24};
    double[] females = {20, 11, 17, 12};
    Difference difference = of(males, females);
    assertThat(difference.p()).isCloseTo(1 / 9.0, within(1e-12));
    assertThat(difference.isSignificant()).isFalse();
    assertThat(difference.verdict()).isEqualTo("no difference");
    assertThat(difference.base()).isEqualTo(22);
    assertThat(difference.fresh()).isEqualTo(14.5);
  }

  @Test
  void samplesThatDoNotOverlapDiffer() {
    Difference difference =
        of(new double[] {1, 1.1, 1.2, 1.3, 1.4}, new double[] {2, 2.1, 2.2, 2.3, 2.4});
    assertThat(difference.p()).isCloseTo(2 / 252.0, within(1e-12));
    assertThat(difference.verdict()).isEqualTo("worse");
    assertThat(difference.changePercent()).isCloseTo(83.33, within(0.01));
    assertThat(difference.lowPercent()).isBetween(40.0, 83.3);
    assertThat(difference.highPercent()).isBetween(83.4, 140.0);
  }

  @Test
  void threeIterationsAreTooFewAndFourAreNot() {
    double[] less = {1, 2, 3};
    double[] more = {4, 5, 6};
    assertThat(of(less, more).tooFew()).isTrue();
    assertThat(of(less, more).verdict()).isEqualTo("too few iterations");
    double[] lessByFour = {1, 2, 3, 3.5};
    double[] moreByFour = {4, 5, 6, 7};
    assertThat(of(lessByFour, moreByFour).tooFew()).isFalse();
    assertThat(of(lessByFour, moreByFour).p()).isCloseTo(2 / 70.0, within(1e-12));
    assertThat(of(moreByFour, lessByFour).verdict()).isEqualTo("better");
  }

  @Test
  void equalFiguresAreNoDifference() {
    double[] same = {7, 7, 7, 7, 7};
    Difference difference = of(same, same.clone());
    assertThat(difference.p()).isEqualTo(1);
    assertThat(difference.changePercent()).isZero();
    assertThat(difference.verdict()).isEqualTo("no difference");
  }

  @Test
  void constantFiguresMayDiffer() {
    assertThat(of(new double[] {7, 7, 7, 7, 7}, new double[] {8, 8, 8, 8, 8}).verdict())
        .isEqualTo("worse");
  }

  @Test
  void theIntervalIsTheSameEachTime() {
    double[] before = {1, 1.3, 1.1, 1.7, 1.2};
    double[] after = {1.4, 1.2, 1.9, 1.5, 1.1};
    assertThat(of(before, after)).isEqualTo(of(before, after));
  }

  @Test
  void aConditionNeedsMoreThanItsPercentAndADifference() {
    Difference worse = of(new double[] {10, 10.1, 10.2, 10.3}, new double[] {11, 11.1, 11.2, 11.3});
    assertThat(worse.changePercent()).isCloseTo(9.85, within(0.01));
    assertThat(FailIf.parse("sq +9.8%").isMetBy(worse)).isTrue();
    assertThat(FailIf.parse("sq +9.9%").isMetBy(worse)).isFalse();
    assertThat(FailIf.parse(" commit +5 % ").isMetBy(worse)).isFalse();
    Difference noise = of(new double[] {1, 2, 3, 4}, new double[] {2, 3, 4, 5.5});
    assertThat(FailIf.parse("sq +0%").isMetBy(noise)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sq", "sq 5%", "sq -5%", "sq +5", "speed +5%", "+5%", ""})
  void refusesOtherConditions(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FailIf.parse(text));
  }
}
