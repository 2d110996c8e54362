package io.drayage.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.bench.statistics.PairedRatio.Turn;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PairedRatioTest {
  /** Makes turns of about {@code seconds}; disturbed ones have three times as much. */
  private static Map<Integer, Turn> turns(int count, double seconds, Set<Integer> disturbed) {
    Map<Integer, Turn> turns = new HashMap<>();
    for (int i = 1; i <= count; i++) {
      boolean isDisturbed = disturbed.contains(i);
      turns.put(i, new Turn(seconds * (isDisturbed ? 3 : 1 + 0.01 * (i % 3)), isDisturbed));
    }
    return turns;
  }

  private static PairedRatio ratio(Map<Integer, Turn> above, Map<Integer, Turn> below) {
    return Objects.requireNonNull(PairedRatio.of(above, below));
  }

  @Test
  void aSlowTurnOfBothMeetsBoth() {
    PairedRatio ratio = ratio(turns(7, 2, Set.of()), turns(7, 1, Set.of()));
    assertThat(ratio.estimate()).isCloseTo(2, within(1e-9));
    assertThat(ratio.turns()).isEqualTo(7);
    assertThat(ratio.isSettled()).isTrue();
  }

  @Test
  void leavesDisturbedTurnsOutIfEnoughOthersRemain() {
    PairedRatio ratio = ratio(turns(7, 2, Set.of(1, 2)), turns(7, 1, Set.of(2)));
    assertThat(ratio.estimate()).isCloseTo(2, within(1e-9));
    assertThat(ratio.turns()).isEqualTo(5);
    assertThat(ratio.leftOut()).isEqualTo(2);
  }

  @Test
  void keepsDisturbedTurnsIfTooFewOthersRemain() {
    PairedRatio ratio = ratio(turns(6, 2, Set.of(1, 2)), turns(6, 1, Set.of()));
    assertThat(ratio.turns()).isEqualTo(6);
    assertThat(ratio.leftOut()).isZero();
    assertThat(ratio.isSettled()).isFalse();
  }

  @Test
  void fewTurnsHaveNoInterval() {
    PairedRatio ratio = ratio(turns(4, 2, Set.of()), turns(9, 1, Set.of()));
    assertThat(ratio.turns()).isEqualTo(4);
    assertThat(ratio.interval()).isNull();
    assertThat(ratio.isSettled()).isFalse();
    assertThat(PairedRatio.of(turns(4, 2, Set.of()), Map.<Integer, Turn>of())).isNull();
  }
}
