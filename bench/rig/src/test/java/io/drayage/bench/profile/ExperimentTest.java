package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.profiling.FrameRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExperimentTest {
  private static Contender contender(String system) {
    return Contender.of(Systems.notation().parse(system), SystemOptions.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc:java+none", "grpc:kryo+lz4", "grpc:msgpack+zstd"})
  void takesEverySuspectOfTheStudyAwayAlone(String system) {
    List<Experiment> experiments = Experiment.of(contender(system));

    assertThat(experiments)
        .filteredOn(Experiment::decisive)
        .extracting(Experiment::suspect)
        .containsExactlyInAnyOrder("grpc", "queues", "chunks", "reads", "kryo-flush");
    for (Experiment experiment : experiments) {
      assertThat(experiment.rung().over()).isEqualTo(system);
      Contender without = experiment.rung().contender();
      boolean sameSystem = without.system().toString().equals(system);
      boolean sameOptions = without.options().equals(SystemOptions.DEFAULT);
      assertThat(sameSystem)
          .as(experiment.rung().change() + ": one change")
          .isNotEqualTo(sameOptions);
    }
  }

  @Test
  void knowsOnlySuspectsThatHaveRules() {
    List<String> ids = FrameRules.ofDrayage().rules().stream().map(FrameRules.Rule::id).toList();
    for (String system : List.of("grpc:java+none", "netty:java+none", "netty:raw+none@2")) {
      assertThat(Experiment.of(contender(system)))
          .extracting(Experiment::suspect)
          .allMatch(ids::contains);
    }
    assertThat(ids).contains(SuspectTable.COMPILER);
  }

  @Test
  void comparesNettyWithoutGrpcOnlyWithWhatItHas() {
    assertThat(Experiment.of(contender("netty:java+none")))
        .extracting(Experiment::suspect)
        .doesNotContain("grpc");
  }
}
