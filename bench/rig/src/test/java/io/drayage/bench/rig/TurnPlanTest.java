package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TurnPlanTest {
  private static final String BASE = "base";
  private static final Duration BUDGET = Duration.ofSeconds(150);

  private static TurnPlan begun(int secondsAgo) {
    return TurnPlan.untilKnown(BASE, null, Instant.now().minusSeconds(secondsAgo), BUDGET);
  }

  private static List<Run> clear(int rounds) {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= rounds; i++) {
      runs.add(Runs.ok(BASE, i, 1000 + i));
      runs.add(Runs.ok("fast", i, 200 + i));
    }
    return runs;
  }

  @Test
  void warmsForAMinuteAtMostAndForLessOfASmallBudget() {
    assertThat(begun(0).warmUp()).isEqualTo(TurnPlan.MAX_WARM_UP);
    assertThat(begun(50).warmUp()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(43));
    assertThat(begun(200).warmUp()).isEqualTo(Duration.ZERO);
    assertThat(TurnPlan.fixed(3, null).warmUp()).isEqualTo(TurnPlan.MAX_WARM_UP);
  }

  @Test
  void endsWhenTheRatiosAreKnownAndAllWereWarm() {
    assertThat(begun(0).wantsRound(8, clear(8), true)).isFalse();
    assertThat(begun(0).wantsRound(8, clear(8), false)).as("not measured yet").isTrue();
    assertThat(begun(151).wantsRound(8, clear(8), false)).as("the time is up").isFalse();
  }

  @Test
  void takesAFifthLongerForFiveTurnsButNoMore() {
    assertThat(begun(170).wantsRound(4, clear(4), false)).isTrue();
    assertThat(begun(170).wantsRound(5, clear(5), false)).isFalse();
    assertThat(begun(181).wantsRound(4, clear(4), false)).isFalse();
    assertThat(begun(181).wantsRound(0, List.of(), false)).as("one in any case").isTrue();
  }

  @Test
  void sharesTheTimeAmongGroupsAndLaunches() {
    TurnPlan share = begun(0).withLaunches(3).share(3);
    assertThat(share.secondsLeft()).isBetween(48, 50);
    assertThat(share.grace()).isEqualTo(Duration.ofSeconds(10));
  }
}
