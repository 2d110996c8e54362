package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.bench.result.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmTurnsTest {
  private final List<Run> runs = new ArrayList<>();
  private int rounds;

  @Test
  void waitsUntilEverySystemHasBeenQuietForThreeTurns() {
    round(0.5, 0.0);
    round(0.1, 0.0);
    assertThat(WarmTurns.cold(runs, 2)).containsExactly("a (compiler 30 %)", "b");
    round(0.2, 0.0);
    assertThat(WarmTurns.cold(runs, 2)).containsExactly("a (compiler 20 %)");
    round(0.1, 0.3);
    assertThat(WarmTurns.cold(runs, 2)).as("medians of the last three").isEmpty();
  }

  @Test
  void aSystemThatFailsIsNotWaitedFor() {
    for (int i = 0; i < 3; i++) {
      runs.add(turn("a", 0.05));
      runs.add(Run.failed("b", 0, "gone"));
    }
    assertThat(WarmTurns.cold(runs, 2)).isEmpty();
  }

  @Test
  void tellsWhyTurnsWereNotWarm() {
    assertThat(WarmTurns.whyCold(List.of(turn("a", 0.0)))).isEqualTo("too few turns to decide");
    assertThat(WarmTurns.whyCold(List.of(turn("a", 0.1), turn("a", 0.0), turn("a", 0.1)))).isNull();
    assertThat(WarmTurns.whyCold(List.of(turn("a", 0.25), turn("a", 0.25))))
        .isEqualTo("its JIT compiler used 25 % of the CPU time of its turns");
  }

  @Test
  void turnsBeforeAllAreWarmAreWarmUps() {
    for (int i = 0; i < 6; i++) {
      round(0.3, 0.0);
    }
    assertThat(WarmTurns.of(runs).areWarm()).isFalse();
    runs.add(Run.failed("b", 6, "gone"));
    for (int i = 0; i < 6; i++) {
      round(0.05, 0.0);
    }
    WarmTurns warm = WarmTurns.of(runs);
    assertThat(warm.areWarm()).isTrue();
    assertThat(warm.runs()).as("what failed stays").anyMatch(run -> run.status() == Status.FAILED);
    assertThat(warm.runs().stream().filter(run -> run.status() == Status.OK))
        .as("most of the turns from the second on were warm, but not the first of these")
        .extracting(Run::iteration)
        .contains(7, 12)
        .doesNotContain(1, 2, 3, 4, 5);
  }

  @Test
  void fiveWarmRoundsAreNeeded() {
    round(0.05, 0.05);
    round(0.05, 0.05);
    round(0.05, 0.05);
    round(0.05, 0.05);
    assertThat(WarmTurns.of(runs).areWarm()).isFalse();
    round(0.05, 0.05);
    assertThat(WarmTurns.of(runs)).isEqualTo(new WarmTurns(runs, true));
  }

  private void round(double first, double second) {
    rounds++;
    runs.add(turn("a", first));
    runs.add(turn("b", second));
  }

  private Run turn(String system, double jitShare) {
    return Runs.ok(system, rounds, 100, jitShare);
  }
}
