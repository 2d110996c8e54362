package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private final List<Run> runs = new ArrayList<>();

  @Test
  void goesOnUntilEverySystemHasBeenQuietForThreeTurns() {
    round(0.5, 0.0);
    round(0.1, 0.0);
    assertThat(WarmUp.isOver(runs, 2)).as("too few turns").isFalse();
    round(0.2, 0.0);
    assertThat(WarmUp.isOver(runs, 2)).as("one of two is cold").isFalse();
    round(0.1, 0.3);
    assertThat(WarmUp.isOver(runs, 2)).as("medians of the last three").isTrue();
  }

  @Test
  void tellsWhyTheMeasuredTurnsWereNotWarm() {
    assertThat(WarmUp.whyCold(List.of(turn("a", 0.0)))).isEqualTo("too few turns to tell");
    assertThat(WarmUp.whyCold(List.of(turn("a", 0.1), turn("a", 0.0), turn("a", 0.1)))).isNull();
    assertThat(WarmUp.whyCold(List.of(turn("a", 0.25), turn("a", 0.25))))
        .isEqualTo("its compiler had 25 % of the processor time of its turns");
  }

  private void round(double first, double second) {
    runs.add(turn("a", first));
    runs.add(turn("b", second));
  }

  private static Run turn(String system, double jitShare) {
    return Runs.ok(system, 1, 100).withJitShare(jitShare);
  }
}
