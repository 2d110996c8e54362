package io.drayage.bench.result;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.child.StageLoad;
import io.drayage.bench.statistics.Medians;
import io.drayage.internal.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The stage of a system with the highest median utilisation over some runs. */
record BusiestStage(String side, String stage, double share, int threads) {
  /** Finds the stage; null if no stage of these runs was measured. */
  static @Nullable BusiestStage of(List<Run> runs) {
    List<BusiestStage> stages = new ArrayList<>();
    add(stages, runs, "worker", "encode", Utilisation::encode, Run.Cost::worker);
    add(stages, runs, "worker", "send", Utilisation::send, Run.Cost::worker);
    add(stages, runs, "transactor", "receive", Utilisation::receive, Run.Cost::transactor);
    add(stages, runs, "transactor", "decode", Utilisation::decode, Run.Cost::transactor);
    add(stages, runs, "transactor", "commit", Utilisation::commit, Run.Cost::transactor);
    return stages.stream().max((one, other) -> Double.compare(one.share, other.share)).orElse(null);
  }

  private static void add(
      List<BusiestStage> stages,
      List<Run> runs,
      String side,
      String stage,
      Function<Utilisation, @Nullable Double> share,
      Function<Run.Cost, @Nullable ProcessCost> process) {
    List<Double> shares =
        runs.stream()
            .map(run -> run.cost().utilisation())
            .filter(Objects::nonNull)
            .map(share)
            .filter(Objects::nonNull)
            .toList();
    Double median = Medians.of(shares);
    int threads =
        runs.stream()
            .map(run -> process.apply(run.cost()))
            .filter(Objects::nonNull)
            .map(cost -> cost.stages().get(stage))
            .filter(Objects::nonNull)
            .mapToInt(StageLoad::threads)
            .max()
            .orElse(0);
    if (median != null) {
      stages.add(new BusiestStage(side, stage, median, threads));
    }
  }

  /** Returns a text such as {@code worker encode 93 % of 2 threads}. */
  @Override
  public String toString() {
    return format("%s %s %.0f %% of %s", side, stage, 100 * share, Counted.of(threads, "thread"));
  }
}
