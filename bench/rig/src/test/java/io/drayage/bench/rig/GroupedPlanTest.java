package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.SystemOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupedPlanTest {
  private final List<Rung> rungs =
      SystemList.of("ladder").rungs(SystemOptions.DEFAULT).stream()
          .filter(Rung::isShipmentAlone)
          .toList();

  private static long oneGib(Rung rung) {
    return 1L << 30;
  }

  @Test
  void withEnoughMemoryAllRungsTakeTurns() {
    List<List<Rung>> groups = GroupedPlan.groups(rungs, GroupedPlanTest::oneGib, Long.MAX_VALUE);

    assertThat(groups).hasSize(1);
    assertThat(groups.get(0)).isEqualTo(rungs);
  }

  @Test
  void everyGroupHasTheBaselineAndWhatItsRungsAreComparedWith() {
    for (int pairs = 3; pairs < 8; pairs++) {
      List<List<Rung>> groups =
          GroupedPlan.groups(rungs, GroupedPlanTest::oneGib, (long) pairs << 30);

      for (Rung rung : rungs) {
        assertThat(groups)
            .as(rung.name())
            .anyMatch(
                group -> GroupedPlan.names(group).containsAll(List.of(rung.name(), rung.over())));
      }
      for (List<Rung> group : groups) {
        assertThat(GroupedPlan.names(group)).startsWith("grpc:java+none").doesNotHaveDuplicates();
        assertThat(group.size()).isLessThanOrEqualTo(pairs);
      }
    }
  }

  @Test
  void oneRungThatDoesNotFitIsNamed() {
    assertThatThrownBy(() -> GroupedPlan.groups(rungs, GroupedPlanTest::oneGib, 1L << 30))
        .hasMessageContaining("grpc:java-buffered+none")
        .hasMessageContaining("2.1 GB");
  }
}
