package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class OutcomeTest {
  private static Outcome judged(List<Double> with, List<Double> without) {
    return new Outcome("a system", "a suspect", "gone", true, with, without, null, null, null, "")
        .judged();
  }

  @Test
  void convictsWhatTakesTimeInEveryTurn() {
    Outcome verdict =
        judged(List.of(1.0, 1.1, 0.95, 1.05, 1.0), List.of(0.5, 0.52, 0.49, 0.55, 0.5));

    assertThat(verdict.finding()).isEqualTo("guilty");
    assertThat(verdict.gain()).isCloseTo(0.5, within(0.02));
    assertThat(verdict.low()).isPositive().isLessThanOrEqualTo(verdict.gain());
    assertThat(verdict.high()).isGreaterThanOrEqualTo(verdict.gain());
    assertThat(verdict.isSettled()).isTrue();
    assertThat(verdict.verdict()).startsWith("guilty (").endsWith(" % of S+Q)");
  }

  @Test
  void acquitsWhatChangesNothing() {
    List<Double> times = List.of(1.0, 1.01, 0.99, 1.0, 1.02, 0.99, 1.0);

    assertThat(judged(times, times).finding()).isEqualTo("not guilty");
    assertThat(judged(times, List.of(1.3, 1.31, 1.29, 1.3, 1.32, 1.3, 1.3)).finding())
        .as("slower without it")
        .isEqualTo("not guilty");
  }

  @Test
  void boundsWhatItCannotProve() {
    Outcome verdict = judged(List.of(1.0, 2.0, 1.5, 0.9, 1.8), List.of(0.9, 1.9, 2.4, 0.7, 1.2));
    assertThat(verdict.finding()).isEqualTo("cannot be told");
    assertThat(verdict.isSettled()).as("more turns may tell").isFalse();
    assertThat(verdict.high()).isGreaterThan(Outcome.THRESHOLD);
    assertThat(verdict.verdict()).matches("cannot be told \\(at most [0-9]+ %\\)");
  }

  @Test
  void acquitsOnlyWhatTakesLessThanWouldMakeItGuilty() {
    List<Double> with = List.of(1.0, 1.01, 0.99, 1.02, 1.0, 1.01);
    Outcome least = judged(with, with.stream().map(time -> time * 0.98).toList());
    assertThat(least.verdict()).isEqualTo("not guilty (at most 2 %)");
    Outcome wide =
        judged(List.of(1.0, 9.0, 0.1, 2.0, 5.0, 0.5), List.of(0.9, 1.0, 1.9, 7.0, 0.2, 3.0));
    assertThat(wide.verdict()).startsWith("cannot be told (at most ");
  }

  @Test
  void aSingleBadTurnDecidesNothing() {
    List<Double> with = List.of(1.0, 1.01, 0.99, 1.02, 9.0, 1.0);
    List<Double> without = List.of(1.0, 1.0, 1.0, 1.01, 1.0, 0.99);

    assertThat(judged(with, without).isGuilty()).isFalse();
  }
}
