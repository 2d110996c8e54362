package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.CodecBenchmark;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.statistics.Medians;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * @param config which cargo
 * @param repeats how often
 * @param heap of each JVM
 * @param logs the folder of the processes' logs
 * @param flames records and draws the measured cargoes; null to record nothing
 */
public record CodecTiming(
    Direction direction,
    CodecConfig.Cargo config,
    Repeats repeats,
    CodecHeap heap,
    Path logs,
    @Nullable CodecFlames flames) {
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
    @Nullable WorkFacts facts;
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
    PublishedFigures published =
        config.isTheStudys()
            ? PublishedFigures.of(name() + ".csv", PUBLISHED_SCORE)
            : PublishedFigures.none();
    List<TimingRow> rows = new ArrayList<>();
    measured.forEach((combination, all) -> rows.add(row(combination, all, published)));
    return compared(rows);
  }

  /** {@code serialization} or {@code deserialization}. */
  public String name() {
    return direction.name().toLowerCase(Locale.ROOT);
  }

  /** One process; none any more for a combination that has failed. */
  private String measure(Combination combination, int number, Measured measured)
      throws IOException {
    if (measured.error != null) {
      return "FAILED before";
    }
    Path log = logs.resolve("%d-%s.log".formatted(number, CodecFlames.fileName(combination)));
    Path facts = Files.createTempFile("drayage-", ".json");
    try {
      List<Double> timesS = times(combination, log, facts);
      measured.timesS.addAll(timesS);
      measured.facts = JsonFile.read(facts, WorkFacts.class);
      if (flames != null) {
        flames.draw(name(), combination);
      }
      double medianS = Medians.of(timesS.stream().mapToDouble(time -> time).toArray());
      return String.format(
          Locale.ROOT, "%.4f s, %.0f MB/s", medianS, measured.facts.rawBytes() / medianS / 1e6);
    } catch (RunnerException e) {
      measured.error = Failures.rootMessage(e);
      return "FAILED, " + measured.error;
    } finally {
      Files.delete(facts);
    }
  }

  private List<Double> times(Combination combination, Path log, Path facts) throws RunnerException {
    List<Double> timesS = new ArrayList<>();
    for (RunResult result : new Runner(options(combination, log, facts)).run()) {
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

  private Options options(Combination combination, Path log, Path facts) {
    Integer level = combination.level();
    Integer threads = combination.threads();
    ChainedOptionsBuilder all = new OptionsBuilder();
    if (flames != null) {
      all.addProfiler(RecordedIterations.class, flames.part(name(), combination).toString());
    }
    return all.include(CodecBenchmark.class.getName() + "\\.oneCargo$")
        .param("direction", direction.name())
        .param("serializer", combination.serializer())
        .param("compressor", combination.compressor())
        .param("level", level == null ? CodecBenchmark.DEFAULT_LEVEL : level.toString())
        .param("form", combination.form().name())
        .param("codecThreads", threads == null ? CodecBenchmark.NO_THREADS : threads.toString())
        .param("cargo", config.name())
        .param("sizeBytes", Long.toString(config.sizeBytes()))
        .param("seed", Long.toString(config.seed()))
        .param("facts", facts.toString())
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

  private TimingRow row(Combination combination, Measured measured, PublishedFigures published) {
    Double publishedScore = combination.published(published, config.sizeBytes());
    WorkFacts facts = measured.facts;
    return measured.error != null || facts == null
        ? TimingRow.failed(combination, publishedScore, String.valueOf(measured.error))
        : TimingRow.of(combination, measured.timesS, facts, publishedScore);
  }

  private static List<TimingRow> compared(List<TimingRow> rows) {
    Map<Combination, TimingRow> all = new LinkedHashMap<>();
    rows.forEach(row -> all.put(row.combination(), row));
    return rows.stream()
        .map(
            row ->
                row.comparedWith(
                    all.get(Combination.JAVA),
                    all.get(Combination.COPY),
                    row.combination().threads() == null
                        ? null
                        : all.get(row.combination().onThreads(1))))
        .toList();
  }
}
