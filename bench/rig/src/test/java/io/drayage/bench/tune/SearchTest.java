package io.drayage.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SearchTest {
  private static final String RAW = "raw+none";
  private static final String SLOW = "raw+xz";
  private static final Grid GRID =
      new Grid(Grid.threadCounts(2), List.of(256 << 10, 1 << 20, 4 << 20), List.of(1, 2), 2);

  /** The measurements that a search requested, and their results. */
  private static final class Machine {
    final Map<Setting, Integer> runs = new HashMap<>();
    final List<Setting> order = new ArrayList<>();
    private final ToDoubleFunction<Setting> seconds;
    private final Random random;
    private final double noise;

    Machine(ToDoubleFunction<Setting> seconds, double noise, long seed) {
      this.seconds = seconds;
      this.noise = noise;
      this.random = new Random(seed);
    }

    Search search(List<String> codecs) throws Exception {
      Search search = new Search(GRID, codecs, Search.HALVING);
      search.run(
          (trial, round, turn, what) -> {
            order.add(trial.setting());
            runs.merge(trial.setting(), round.runs(), Integer::sum);
            for (int i = 0; i < round.runs(); i++) {
              double s = seconds.applyAsDouble(trial.setting());
              trial.add(List.of(run(s * (1 + noise * random.nextDouble()))));
            }
          });
      return search;
    }
  }

  private static Run run(double seconds) {
    return Runs.ok("raw", 1, Math.round(seconds * 1_000));
  }

  @Test
  void triesAllAndHasTheGridOfAMachine() {
    assertThat(GRID.of(RAW)).hasSize(24).doesNotHaveDuplicates().contains(GRID.untuned(RAW));
    assertThat(Grid.threadCounts(6)).containsExactly(1, 2, 4, 6);
    assertThat(Grid.threadCounts(1)).containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void findsTheBestWithinFivePercent(long seed) throws Exception {
    ToDoubleFunction<Setting> seconds =
        s ->
            0.2 / s.workerThreads()
                + 0.1 / s.transactorThreads()
                + (s.segmentBytes() == 1 << 20 ? 0 : 0.02)
                + 0.01 * s.connections();
    Machine machine = new Machine(seconds, 0.2, seed);
    Trial choice = Search.choice(machine.search(List.of(RAW)).trials().get(0)).orElseThrow();
    double best = GRID.of(RAW).stream().mapToDouble(seconds).min().orElseThrow();
    assertThat(seconds.applyAsDouble(choice.setting()))
        .as("seed %d: %s", seed, choice.setting())
        .isLessThanOrEqualTo(1.05 * best);
  }

  @Test
  void prefersWhatTakesLessIfItCannotTell() throws Exception {
    Machine machine = new Machine(setting -> 0.1, 0, 1);
    Trial choice = Search.choice(machine.search(List.of(RAW)).trials().get(0)).orElseThrow();
    assertThat(choice.setting().workerThreads() + choice.setting().transactorThreads())
        .isEqualTo(2);
    assertThat(choice.setting().connections()).isEqualTo(1);
  }

  @Test
  void measuresTheUntunedSettingToTheEnd() throws Exception {
    Machine machine =
        new Machine(s -> s.equals(GRID.untuned(RAW)) ? 1 : 0.9 + s.segmentBytes() * 1e-9, 0, 1);
    Search search = machine.search(List.of(RAW));
    assertThat(search.untuned(0).rounds()).isEqualTo(Search.HALVING.size());
  }

  @Test
  void givesUpACodecThatIsFarBehind() throws Exception {
    Machine machine = new Machine(s -> s.codec().equals(SLOW) ? 9 : 1, 0, 1);
    Search search = machine.search(List.of(SLOW, RAW));
    assertThat(search.trials().get(0)).allSatisfy(t -> assertThat(t.rounds()).isZero());
    assertThat(machine.runs.keySet().stream().filter(setting -> setting.codec().equals(SLOW)))
        .containsExactly(GRID.untuned(SLOW));
    assertThat(Search.choice(search.trials().get(0))).isPresent();
  }

  @Test
  void givesUpACodecThatIsFarBehindOnceTuned() throws Exception {
    Machine machine =
        new Machine(s -> s.codec().equals(SLOW) || s.equals(GRID.untuned(RAW)) ? 9 : 1, 0, 1);
    Search search = machine.search(List.of(SLOW, RAW));
    assertThat(search.trials().get(0)).allSatisfy(t -> assertThat(t.rounds()).isEqualTo(1));
  }

  @Test
  void takesTurnsWithinARound() throws Exception {
    Machine machine = new Machine(setting -> 1, 0, 1);
    machine.search(List.of(RAW));
    assertThat(machine.order.subList(1, 25)).doesNotHaveDuplicates();
  }

  @Test
  void leavesOutWhatFailed() throws Exception {
    Search search = new Search(GRID, List.of(RAW), Search.HALVING);
    Map<Setting, Integer> asked = new HashMap<>();
    int failing = GRID.untuned(RAW).connections();
    search.run(
        (trial, round, turn, what) -> {
          asked.merge(trial.setting(), 1, Integer::sum);
          trial.add(
              List.of(
                  trial.setting().connections() == failing
                      ? Run.failed("raw", 1, "out of it")
                      : Runs.ok("raw", 1, 1_000)));
        });
    assertThat(asked.get(GRID.untuned(RAW))).isEqualTo(1);
    assertThat(Search.choice(search.trials().get(0)).orElseThrow().setting().connections())
        .isNotEqualTo(failing);
  }
}
