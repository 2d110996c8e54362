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
 * before it. JMH runs all forks of a benchmark in a row. Here the combinations run alternately, one
 * fork each, so that a change of the machine's load affects all of them.
 *
 * @param repeats the numbers of measurements
 * @param heap of each JVM
 * @param logs the folder of the processes' logs
 * @param flames the folder for recordings and flame graphs of the measured cargoes of the last
 *     fork; null to record nothing
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

  /**
   * The numbers of measurements of a combination.
   *
   * @param forks number of JVMs
   * @param iterations measured cargoes of each JVM
   * @param warmup cargoes before them
   */
  public record Repeats(int forks, int iterations, int warmup) {}

  /** Returns one row for each combination, in their order. */
  public List<TimingRow> run(List<Combination> combinations, StepDisplay display)
      throws IOException {
    Map<Combination, TimingRow> rows = new LinkedHashMap<>();
    int steps = repeats.forks() * combinations.size();
    for (int done = 0; done < steps; done++) {
      Combination combination = combinations.get(done % combinations.size());
      TimingRow before = rows.get(combination);
      String outcome = "FAILED before";
      if (before == null || before.error() == null) {
        TimingRow row = measure(combination, done + 1);
        outcome =
            row.error() == null
                ? format("%.4f s", Medians.of(row.timesS()))
                : "FAILED, " + row.error();
        rows.put(combination, before == null ? row : row.after(before));
      }
      display.step(done + 1, steps, combination + ": " + outcome);
    }
    PublishedFigures published = cargo.published(direction + ".csv", PUBLISHED_SCORE);
    long sizeBytes = cargo.size().bytes();
    return rows.values().stream()
        .map(row -> row.comparedWith(rows, row.combination().published(published, sizeBytes)))
        .toList();
  }

  /** Measures a combination in one process. */
  private TimingRow measure(Combination combination, int number) throws IOException {
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
      TimingRow.Volume volume = JsonFile.read(task, TimingRow.Volume.class);
      if (recording != null) {
        RecordedIterations.draw(recording, "%s of %s".formatted(direction, combination));
      }
      return new TimingRow(combination, timesS, TimingRow.Scores.NONE, volume, null);
    } catch (RunnerException e) {
      return TimingRow.failed(combination, CodecRow.reason(root(e)));
    }
  }

  private static List<Double> times(Options options) throws RunnerException {
    List<Double> timesS = new ArrayList<>();
    for (RunResult result : new Runner(options).run()) {
      for (var process : result.getBenchmarkResults()) {
        process
            .getIterationResults()
            .forEach(one -> timesS.add(one.getPrimaryResult().getScore() / 1e9));
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

  /** Returns the root cause: JMH wraps the exceptions of a process. */
  private static Throwable root(Throwable e) {
    if (e.getCause() != null) {
      return root(e.getCause());
    }
    return e.getSuppressed().length == 0 ? e : root(e.getSuppressed()[0]);
  }
}
