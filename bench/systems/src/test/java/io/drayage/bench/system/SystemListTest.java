package io.drayage.bench.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SystemListTest {
  @ParameterizedTest
  @ValueSource(strings = {"default", "study", "ladder", "peers", "links"})
  void comparesEachSystemWithOneThatStandsBeforeIt(String name) {
    List<Rung> rungs = SystemList.of(name).rungs(SystemOptions.DEFAULT);
    List<String> names = rungs.stream().map(Rung::name).toList();
    assertThat(names).startsWith("grpc:java+none").doesNotHaveDuplicates();
    assertThat(rungs.get(0).isFirst()).isTrue();
    for (Rung rung : rungs.subList(1, rungs.size())) {
      if (!rung.isShipmentAlone() && rung.isFirst()) {
        continue; // Whole commits are a ladder of their own.
      }
      assertThat(names.indexOf(rung.over())).isBetween(0, names.indexOf(rung.name()) - 1);
    }
  }

  @Test
  void theLadderHasOneChangeARungAndTheOthersAreComparedWithTheBaseline() {
    SystemList ladder = SystemList.of("ladder");
    assertThat(ladder.isLadder()).isTrue();
    assertThat(ladder.rungs(SystemOptions.DEFAULT))
        .extracting(Rung::name)
        .contains("grpc:raw+none chunk=1MiB", "netty:raw+none@2 connections=1");
    assertThat(SystemList.of("default").isLadder()).isFalse();
    assertThat(SystemList.of("default").rungs(SystemOptions.DEFAULT))
        .extracting(Rung::over)
        .containsOnly("grpc:java+none");
  }

  @Test
  void theOwnCargoIsARungComparedWithADownload() {
    List<Rung> commits =
        SystemList.of("ladder").rungs(SystemOptions.DEFAULT).stream()
            .filter(rung -> !rung.isShipmentAlone())
            .toList();
    assertThat(commits)
        .extracting(Rung::name)
        .containsExactly("netty:raw+none@2 load=store", "netty:raw+none@2 load=own");
    assertThat(commits.get(0).isFirst()).isTrue();
    assertThat(commits.get(1).over()).isEqualTo(commits.get(0).name());
  }

  @Test
  void namesTheListsThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SystemList.of("all"))
        .withMessageContaining("choose default, study, links, peers, ladder");
  }
}
