package io.drayage.bench.tune;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the settings of some codecs, and recommends one of them. Not thread-safe. */
public final class TuneRun {
  private static final int WARMUPS = 6;

  private final RigPlan plan;
  private final CargoSource source;
  private final List<TunedCodec> codecs;
  private final Grid grid;
  private final boolean sweep;
  private final Search search;

  /**
   * @param plan the cargo, the memory, the link and the logs
   * @param sweep whether all settings are measured as often as the best ones
   */
  public TuneRun(
      RigPlan plan, CargoSource source, List<TunedCodec> codecs, Grid grid, boolean sweep) {
    this.plan = plan;
    this.source = source;
    this.codecs = codecs;
    this.grid = grid;
    this.sweep = sweep;
    this.search = new Search(grid, codecs, sweep ? Search.SWEEP : Search.HALVING);
  }

  /** What is measured, in one line. */
  public String describe() {
    return "shipping %s over %s, %d codecs, %d settings each"
        .formatted(
            source.describe(), plan.link().text(), codecs.size(), search.trials().get(0).size());
  }

  /** How many steps the display shows. */
  public int steps() {
    return search.maxRuns();
  }

  /** Measures. To be called once. */
  public void run(StepDisplay display) throws IOException, InterruptedException {
    try (TrialPair pair = new TrialPair(plan)) {
      // The settings of a codec shall find its code compiled.
      for (int codec = 0; codec < codecs.size(); codec++) {
        display.step(0, steps(), "warm-up of " + codecs.get(codec));
        pair.run(search.untuned(codec).setting().toContender(), WARMUPS);
      }
      int[] done = {0};
      search.run(
          (trial, times, what) -> {
            List<Run> runs = pair.run(trial.setting().toContender(), 1 + times);
            // The first is over new connections and buffers, unless it is the one that failed.
            trial.add(runs.size() > times ? runs.subList(1, runs.size()) : runs);
            done[0] += times;
            display.step(
                done[0], steps(), "%s, %s%s".formatted(what, trial.setting(), last(trial)));
          });
    }
  }

  private static String last(Trial trial) {
    List<Double> seconds = trial.seconds();
    return trial.error() != null
        ? ": FAILED, " + trial.error()
        : String.format(Locale.ROOT, ": S+Q %.3f s", seconds.get(seconds.size() - 1));
  }

  /** The settings of each codec. */
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (int codec = 0; codec < codecs.size(); codec++) {
      tables.add(TuneTable.of(search.trials().get(codec), search.untuned(codec)));
    }
    return tables;
  }

  /**
   * The settings to write to a file; null if none succeeded. Of the codecs' choices that cannot be
   * told from the fastest, those that take the least processor time.
   */
  public @Nullable TunedConfig recommended() {
    return choice().map(trial -> trial.setting().toConfig()).orElse(null);
  }

  /** What they are, for people. */
  public String recommendedText() {
    return choice().map(trial -> trial.setting().toString()).orElse("none");
  }

  private Optional<Trial> choice() {
    return Search.choice(choices(), Comparator.comparingDouble(TuneRun::cpuS));
  }

  private List<Trial> choices() {
    return search.trials().stream().map(Search::choice).flatMap(Optional::stream).toList();
  }

  private static double cpuS(Trial trial) {
    return trial.runs().stream()
        .mapToDouble(run -> Objects.requireNonNull(run.cpuS()))
        .sorted()
        .skip((trial.runs().size() - 1) / 2)
        .findFirst()
        .orElse(0);
  }

  /**
   * What was measured.
   *
   * @param size as the user wrote it
   * @param tookS how long it took
   */
  public TuneResult result(String size, double tookS) {
    boolean sizeCounts = CargoSources.sizeCounts(plan.cargo().notation());
    TuneResult.Config config =
        new TuneResult.Config(
            sizeCounts ? size : null,
            sizeCounts ? (Long) plan.cargo().sizeBytes() : null,
            plan.cargo().notation(),
            source.describe(),
            plan.cargo().seed(),
            codecs.stream().map(TunedCodec::toString).toList(),
            grid,
            sweep,
            plan.link().text(),
            plan.link().facts(),
            Runtime.getRuntime().availableProcessors(),
            tookS,
            plan.heap().workerOptions(),
            plan.heap().transactorOptions());
    return new TuneResult(
        TuneResult.SCHEMA,
        Environment.capture(),
        config,
        choice().map(this::recommendation).orElse(null),
        rows());
  }

  private TuneResult.Recommendation recommendation(Trial trial) {
    Trial untuned = search.untuned(codecs.indexOf(trial.setting().codec()));
    Optional<Trial> next =
        choices().stream()
            .filter(other -> !other.equals(trial))
            .min(Comparator.comparingDouble(Trial::median));
    return new TuneResult.Recommendation(
        trial.setting().toConfig().toMap(),
        trial.median(),
        untuned.isOk() ? untuned.median() / trial.median() : 1,
        next.map(other -> other.median() / trial.median()).orElse(null),
        next.map(other -> !other.spread().overlaps(trial.spread())).orElse(true),
        Binding.of(
            trial.setting().toString(),
            trial.runs(),
            plan.link().bytesPerSecondOfWorker(),
            plan.link().text(),
            Runtime.getRuntime().availableProcessors()));
  }

  private List<TuneResult.Row> rows() {
    List<TuneResult.Row> rows = new ArrayList<>();
    for (List<Trial> trials : search.trials()) {
      Trial choice = Search.choice(trials).orElse(null);
      trials.forEach(trial -> rows.add(row(trial, trial.equals(choice))));
    }
    return List.copyOf(rows);
  }

  private static TuneResult.Row row(Trial trial, boolean chosen) {
    Setting setting = trial.setting();
    Interval spread = trial.isOk() ? trial.spread() : null;
    return new TuneResult.Row(
        setting.codec().serializer(),
        setting.codec().compressor(),
        setting.workerThreads(),
        setting.transactorThreads(),
        setting.segmentBytes(),
        setting.connections(),
        trial.seconds(),
        spread == null ? null : (Double) spread.estimate(),
        spread == null ? null : (Double) spread.low(),
        spread == null ? null : (Double) spread.high(),
        spread == null ? null : (Double) trial.rawMBps(),
        trial.rounds(),
        chosen,
        trial.error());
  }
}
