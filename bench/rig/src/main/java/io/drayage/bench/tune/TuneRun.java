package io.drayage.bench.tune;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.config.SettingsFile;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.bench.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the settings of some codecs, and recommends one setting. Not thread-safe. */
public final class TuneRun {
  /** The longest warm-up of each codec. */
  private static final Duration WARM_UP = Duration.ofSeconds(2);

  /** The study's system, which is measured after all settings. */
  private static final String BASELINE = Systems.PUBLISHED;

  private static final int BASELINE_RUNS = 5;

  private final RigPlan plan;
  private final Path logs;
  private final CargoSource source;
  private final List<String> codecs;
  private final Grid grid;
  private final boolean sweep;
  private final Search search;
  private final List<Run> baseline = new ArrayList<>();
  private double tookS;

  /**
   * @param logs the folder for the processes' logs; it exists
   * @param sweep whether all settings are measured as often as the best ones
   */
  public TuneRun(
      RigPlan plan, Path logs, CargoSource source, List<String> codecs, Grid grid, boolean sweep) {
    this.plan = plan;
    this.logs = logs;
    this.source = source;
    this.codecs = codecs;
    this.grid = grid;
    this.sweep = sweep;
    this.search = new Search(grid, codecs, sweep ? Search.SWEEP : Search.HALVING);
  }

  /** Returns a line that describes the measurement. */
  public String describe() {
    return format(
        "shipping %s over %s, %d codecs, %d settings each",
        source.describe(), plan.link().text(), codecs.size(), search.trials().get(0).size());
  }

  /** Returns the number of steps on the display. */
  public int steps() {
    return search.maxRuns() + BASELINE_RUNS;
  }

  /** Measures. Must be called once only. */
  public void run(StepDisplay display) throws IOException, InterruptedException {
    long beganNs = System.nanoTime();
    try (TrialPair pair = new TrialPair(plan, logs, 1, "trials", null)) {
      // The settings of a codec shall find its code compiled.
      for (int codec = 0; codec < codecs.size(); codec++) {
        display.step(0, steps(), "warm-up of " + codecs.get(codec));
        if (prepare(pair, search.untuned(codec).setting().toContender(), false) == null) {
          pair.warm(WARM_UP);
        }
      }
      int[] done = {0};
      search.run(
          (trial, round, turn, what) -> {
            int times = round.runs();
            trial.add(ship(pair, trial.setting().toContender(), round, turn));
            done[0] += times;
            display.step(
                done[0], steps(), "%s, %s%s".formatted(what, trial.setting(), last(trial)));
          });
      display.step(steps() - BASELINE_RUNS, steps(), "the study's system, " + BASELINE);
      pair.end(); // The state that our codecs left in the processes may influence it.
      measureBaseline(pair);
    }
    tookS = (System.nanoTime() - beganNs) / 1e9;
  }

  private @Nullable String prepare(TrialPair pair, Contender contender, boolean besideOthers)
      throws IOException, InterruptedException {
    return pair.prepare(contender, plan.cargo(), besideOthers);
  }

  private void measureBaseline(TrialPair pair) throws IOException, InterruptedException {
    String problem =
        prepare(
            pair, Contender.of(Systems.notation().parse(BASELINE), SystemOptions.DEFAULT), false);
    if (problem != null) {
      baseline.add(Run.failed(BASELINE, 1, problem));
      return;
    }
    pair.warm(WARM_UP);
    for (int i = 1; i <= BASELINE_RUNS; i++) {
      baseline.add(pair.run(i));
    }
  }

  /** Ships a turn. Drops the first run over new connections and buffers, unless it failed. */
  private List<Run> ship(TrialPair pair, Contender contender, Search.Round round, int turn)
      throws IOException, InterruptedException {
    if (pair.isLost()) {
      pair.end();
    }
    String problem = prepare(pair, contender, round.keepsConnections());
    if (problem != null) {
      return List.of(Run.failed(contender.name(), 1, problem));
    }
    List<Run> runs = new ArrayList<>();
    if (turn == 0 || !round.keepsConnections()) {
      Run first = pair.run(1);
      if (first.status() == Status.FAILED) {
        return List.of(first);
      }
    }
    for (int i = 1; i <= round.runs(); i++) {
      runs.add(pair.run(i));
    }
    return runs;
  }

  private static String last(Trial trial) {
    List<Double> seconds = trial.seconds();
    return trial.error() != null
        ? ": FAILED, " + trial.error()
        : format(": S+Q %.3f s", seconds.get(seconds.size() - 1));
  }

  /** Returns a table of the settings for each codec. */
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (int codec = 0; codec < codecs.size(); codec++) {
      tables.add(TuneTable.of(search.trials().get(codec), search.untuned(codec)));
    }
    return tables;
  }

  /**
   * The recommended setting. Written by Jackson.
   *
   * @param setting for people
   * @param settings as in the file
   * @param medianS median of S+Q in seconds
   * @param overUntuned speed relative to the same codec with its defaults
   * @param overUntunedLow lower end of its 95 % interval, turn by turn; null if there were too few
   *     turns, or if these are the defaults
   * @param overUntunedHigh its upper end
   * @param overBaseline speed relative to the study's system; null if that failed
   * @param overNext speed relative to the choice of the best other codec; null if there is none
   * @param toldApart whether that codec and this one can be distinguished
   * @param why what limits the speed
   */
  public record Recommendation(
      @JsonIgnore String setting,
      Map<String, String> settings,
      double medianS,
      double overUntuned,
      @Nullable Double overUntunedLow,
      @Nullable Double overUntunedHigh,
      @Nullable Double overBaseline,
      @Nullable Double overNext,
      boolean toldApart,
      String why) {
    /** Returns a line with the speed and its comparisons. */
    public String gain() {
      String study =
          overBaseline == null
              ? BASELINE + " failed"
              : format("%.1fx as fast as the study's %s", overBaseline, BASELINE);
      String interval =
          overUntunedLow == null ? "" : format(" (%.2f-%.2f)", overUntunedLow, overUntunedHigh);
      String next =
          overNext == null
              ? ""
              : format(
                  ", %.2fx as fast as the next codec%s",
                  overNext, toldApart ? "" : " (cannot be told apart)");
      return format(
          "S+Q %.3f s, %s, %.2fx%s as fast as its untuned setting%s",
          medianS, study, overUntuned, interval, next);
    }
  }

  /**
   * Returns the recommendation: among the codecs' choices that cannot be distinguished from the
   * fastest, the one with the least CPU time. Empty if no setting succeeded.
   */
  public Optional<Recommendation> recommendation() {
    return choice().map(this::recommendation);
  }

  private Optional<Trial> choice() {
    Comparator<Trial> byCpu =
        Comparator.comparingDouble(
            trial -> Objects.requireNonNull(Medians.of(trial.runs(), Run::cpuS)));
    return Search.choice(choices(), byCpu);
  }

  private List<Trial> choices() {
    return search.trials().stream().map(Search::choice).flatMap(Optional::stream).toList();
  }

  private Recommendation recommendation(Trial trial) {
    Trial untuned = search.untuned(codecs.indexOf(trial.setting().codec()));
    Interval gain = untuned.equals(trial) || !untuned.isOk() ? null : untuned.timesAsLongAs(trial);
    Double baselineS =
        baseline.stream().allMatch(run -> run.status() == Status.OK)
            ? Medians.of(baseline, Run::sqS)
            : null;
    Optional<Trial> next =
        choices().stream()
            .filter(other -> !other.equals(trial))
            .min(Comparator.comparingDouble(Trial::median));
    return new Recommendation(
        trial.setting().toString(),
        trial.setting().toOptions(),
        trial.median(),
        gain != null ? gain.estimate() : untuned.isOk() ? untuned.median() / trial.median() : 1,
        gain == null ? null : (Double) gain.low(),
        gain == null ? null : (Double) gain.high(),
        baselineS == null ? null : (Double) (baselineS / trial.median()),
        next.map(other -> other.median() / trial.median()).orElse(null),
        next.map(other -> !other.isLike(trial)).orElse(true),
        Binding.of(
            trial.setting().toString(),
            trial.runs(),
            plan.link().bytesPerSecondOfWorker(),
            plan.link().text(),
            Runtime.getRuntime().availableProcessors()));
  }

  /** Writes the recommended settings by {@link SettingsFile#write}. */
  public Optional<Path> write(Path file) throws IOException {
    Trial trial = choice().orElseThrow();
    Recommendation advice = recommendation(trial);
    return SettingsFile.write(
        file,
        trial.setting().toOptions(),
        List.of(
            format(
                "Written by drayage tune: %s, over %s, %d cores.",
                source.describe(), plan.link().text(), grid.cores()),
            advice.gain() + ".",
            "Why: " + advice.why() + ".",
            "Read by drayage throughput, worker and transactor with --config; their own options win."));
  }

  /**
   * Returns the measurements.
   *
   * @param size as the user wrote it
   */
  public Result<Map<String, @Nullable Object>> result(String size) {
    boolean sizeCounts = CargoSources.sizeCounts(plan.cargo().notation());
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    config.put("size", sizeCounts ? size : null);
    config.put("sizeBytes", sizeCounts ? plan.cargo().sizeBytes() : null);
    config.put("cargo", plan.cargo().notation());
    config.put("cargoDescription", source.describe());
    config.put("seed", plan.cargo().seed());
    config.put("codecs", codecs);
    config.put("grid", grid);
    config.put("sweep", sweep);
    config.put("link", plan.link().text());
    config.put("linkFacts", plan.link().facts());
    config.put("cores", Runtime.getRuntime().availableProcessors());
    config.put("tookS", tookS);
    config.put("workerJvmOptions", plan.heap().workerOptions());
    config.put("transactorJvmOptions", plan.heap().transactorOptions());
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    boolean allOk = true;
    for (List<Trial> trials : search.trials()) {
      Trial choice = Search.choice(trials).orElse(null);
      for (Trial trial : trials) {
        rows.add(trial.row(trial.equals(choice)));
        allOk &= trial.error() == null;
      }
    }
    return Result.of(config, rows, allOk).with("recommendation", recommendation().orElse(null));
  }

  /** Returns the time of the measurement. */
  public double tookS() {
    return tookS;
  }
}
