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

  @Test
  void samplesThatOverlapMuchShowNoDifference() {
    Difference difference =
        of(new double[] {19, 22, 16, 29, 24}, new double[] {20, 11, 17, 12, 23});
    assertThat(difference.isSignificant()).isFalse();
    assertThat(difference.verdict()).isEqualTo("no difference");
    assertThat(difference.base()).isEqualTo(22);
    assertThat(difference.fresh()).isEqualTo(17);
  }

  @Test
  void samplesThatDoNotOverlapDiffer() {
    double[] less = {1, 1.1, 1.2, 1.3, 1.4};
    double[] more = {2, 2.1, 2.2, 2.3, 2.4};
    Difference difference = of(less, more);
    assertThat(difference.verdict()).isEqualTo("worse");
    assertThat(difference.changePercent()).isCloseTo(83.6, within(0.1));
    assertThat(difference.lowPercent()).isBetween(40.0, 83.3);
    assertThat(difference.highPercent()).isBetween(84.0, 140.0);
    assertThat(of(more, less).verdict()).isEqualTo("better");
  }

  @Test
  void fourTurnsAreTooFew() {
    Difference difference = of(new double[] {1, 2, 3, 3.5}, new double[] {4, 5, 6, 7, 8});
    assertThat(difference.tooFew()).isTrue();
    assertThat(difference.verdict()).isEqualTo("too few turns");
    assertThat(difference.intervalText()).isEqualTo("-");
  }

  @Test
  void constantFiguresMayDiffer() {
    double[] same = {7, 7, 7, 7, 7};
    assertThat(of(same, same.clone()).changePercent()).isZero();
    assertThat(of(same, same.clone()).verdict()).isEqualTo("no difference");
    assertThat(of(same, new double[] {8, 8, 8, 8, 8}).verdict()).isEqualTo("worse");
  }

  @Test
  void aConditionNeedsMoreThanItsPercentAndADifference() {
    Difference worse =
        of(new double[] {10, 10.1, 10.2, 10.3, 10.4}, new double[] {11, 11.1, 11.2, 11.3, 11.4});
    assertThat(worse.changePercent()).isCloseTo(9.8, within(0.01));
    assertThat(FailIf.parse("sq +9.7%").isMetBy(worse)).isTrue();
    assertThat(FailIf.parse("sq +9.9%").isMetBy(worse)).isFalse();
    assertThat(FailIf.parse(" commit +5 % ").isMetBy(worse)).isFalse();
    Difference noise = of(new double[] {1, 2, 3, 4, 5}, new double[] {2, 3, 4, 5.5, 6});
    assertThat(FailIf.parse("sq +0%").isMetBy(noise)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sq", "sq 5%", "sq -5%", "sq +5", "speed +5%", "+5%", ""})
  void refusesOtherConditions(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FailIf.parse(text));
  }
}
