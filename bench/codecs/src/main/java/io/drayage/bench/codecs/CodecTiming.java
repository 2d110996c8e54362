package io.drayage.bench.codecs;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.statistics.Medians;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Times combinations by JMH, each in a JVM of its own: one time for each cargo, with a collection
 * before it. JMH runs all forks of a benchmark in a row; here the combinations take turns, one fork
 * each, so that a change of the machine's load affects all of them.
 *
 * @param repeats how often
 * @param heap of each JVM
 * @param logs the folder of the processes' logs
 * @param flames takes recordings and flame graphs of the measured cargoes, those of the last fork;
 *     null to record nothing
 */
public record CodecTiming(
    Direction direction,
    CodecCargo cargo,
    Repeats repeats,
    CodecHeap heap,
    Path logs,
    @Nullable Path flames) {
  private static final String PUBLISHED_SCORE = "score_vs_java_none";
  private static final TimeValue ITERATION_LIMIT = TimeValue.hours(4);
  private static final double NANOS_PER_S = 1e9;

  /**
   * How often a combination is measured.
   *
   * @param forks JVMs
   * @param iterations measured cargoes of each JVM
   * @param warmup cargoes before them
   */
  public record Repeats(int forks, int iterations, int warmup) {}

  /** What all processes of one combination measured. */
  private static final class Measured {
    final List<Double> timesS = new ArrayList<>();
    TimingRow.Volume volume = TimingRow.Volume.UNKNOWN;
    @Nullable String error;
  }

  /** One row for each combination, in their order. */
  public List<TimingRow> run(List<Combination> combinations, StepDisplay display)
      throws IOException {
    Map<Combination, Measured> measured = new LinkedHashMap<>();
    combinations.forEach(combination -> measured.put(combination, new Measured()));
    int done = 0;
    for (int fork = 1; fork <= repeats.forks(); fork++) {
      for (Map.Entry<Combination, Measured> entry : measured.entrySet()) {
        done++;
        String outcome = measure(entry.getKey(), done, entry.getValue());
        display.step(done, repeats.forks() * combinations.size(), entry.getKey() + ": " + outcome);
      }
    }
    PublishedFigures published = cargo.published(direction + ".csv", PUBLISHED_SCORE);
    Map<Combination, TimingRow> rows = new LinkedHashMap<>();
    measured.forEach((combination, all) -> rows.put(combination, row(combination, all, published)));
    return rows.values().stream().map(row -> row.comparedWith(rows)).toList();
  }

  private TimingRow row(Combination combination, Measured all, PublishedFigures published) {
    Double publishedScore = combination.published(published, cargo.size().bytes());
    boolean failed = all.error != null;
    return new TimingRow(
        combination,
        failed ? List.of() : List.copyOf(all.timesS),
        new TimingRow.Scores(null, publishedScore, null, null),
        failed ? TimingRow.Volume.UNKNOWN : all.volume,
        all.error);
  }

  /** One process; none any more for a combination that has failed. */
  private String measure(Combination combination, int number, Measured measured)
      throws IOException {
    if (measured.error != null) {
      return "FAILED before";
    }
    String name = combination.toString().replaceAll("[^A-Za-z0-9.]+", "-");
    Path log = logs.resolve(format("%d-%s.log", number, name));
    Path recording =
        flames == null ? null : flames.toAbsolutePath().resolve(direction + "-" + name + ".jfr");
    try (TemporaryFolder made = TemporaryFolder.make("drayage-codec-")) {
      Path task = made.path().resolve("task.json");
      JsonFile.write(
          task,
          new CodecBenchmark.Task(
              direction, combination, cargo.name(), cargo.size().bytes(), cargo.seed()));
      List<Double> timesS = times(options(task, log, recording));
      measured.timesS.addAll(timesS);
      measured.volume = JsonFile.read(task, TimingRow.Volume.class);
      if (recording != null) {
        RecordedIterations.draw(recording, "%s of %s".formatted(direction, combination));
      }
      return format("%.4f s", Medians.of(timesS));
    } catch (RunnerException e) {
      measured.error = CodecRow.reason(root(e));
      return "FAILED, " + measured.error;
    }
  }

  private static List<Double> times(Options options) throws RunnerException {
    List<Double> timesS = new ArrayList<>();
    for (RunResult result : new Runner(options).run()) {
      for (var process : result.getBenchmarkResults()) {
        process
            .getIterationResults()
            .forEach(one -> timesS.add(one.getPrimaryResult().getScore() / NANOS_PER_S));
      }
    }
    if (timesS.isEmpty()) {
      throw new RunnerException("the process ended without a result");
    }
    return timesS;
  }

  private Options options(Path task, Path log, @Nullable Path recording) {
    ChainedOptionsBuilder all = new OptionsBuilder();
    if (recording != null) {
      all.addProfiler(RecordedIterations.class, recording.toString());
    }
    return all.include(CodecBenchmark.class.getName() + "\\.oneCargo$")
        .param("task", task.toString())
        .mode(Mode.SingleShotTime)
        .threads(1)
        .forks(1)
        .warmupForks(0)
        .warmupIterations(repeats.warmup())
        .measurementIterations(repeats.iterations())
        .shouldDoGC(true)
        .shouldFailOnError(true)
        .timeout(ITERATION_LIMIT)
        .jvmArgs(heap.jvmOptions().toArray(String[]::new))
        .output(log.toString())
        .build();
  }

  /** What lies at the bottom: JMH wraps what a process has thrown. */
  private static Throwable root(Throwable e) {
    if (e.getCause() != null) {
      return root(e.getCause());
    }
    return e.getSuppressed().length == 0 ? e : root(e.getSuppressed()[0]);
  }
}
