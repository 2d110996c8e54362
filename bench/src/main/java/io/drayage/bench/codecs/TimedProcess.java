package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.CodecBenchmark;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.result.JsonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Times one combination in a JVM of its own, by JMH: a collection before each cargo, one time for
 * each.
 *
 * @param options which cargo
 * @param timing how often
 * @param heap of the JVM
 */
record TimedProcess(
    Direction direction, CodecOptions options, TimingOptions timing, CodecHeap heap) {
  private static final TimeValue ITERATION_LIMIT = TimeValue.hours(4);
  private static final double NANOS_PER_S = 1e9;

  /**
   * What a process measured.
   *
   * @param timesS the time for each cargo, in seconds
   */
  record Times(List<Double> timesS, WorkFacts facts) {}

  /**
   * Runs one process to its end.
   *
   * @param log takes what JMH and the process say
   * @throws RunnerException if the process failed, or what it read back is not what it wrote
   */
  Times run(Combination combination, Path log) throws IOException, RunnerException {
    Path facts = Files.createTempFile("drayage-", ".json");
    try {
      Collection<RunResult> results = new Runner(options(combination, log, facts)).run();
      List<Double> timesS = new ArrayList<>();
      for (RunResult result : results) {
        for (var process : result.getBenchmarkResults()) {
          for (IterationResult iteration : process.getIterationResults()) {
            timesS.add(iteration.getPrimaryResult().getScore() / NANOS_PER_S);
          }
        }
      }
      if (timesS.isEmpty()) {
        throw new RunnerException("the process ended without a result");
      }
      return new Times(timesS, JsonFile.read(facts, WorkFacts.class));
    } finally {
      Files.delete(facts);
    }
  }

  private Options options(Combination combination, Path log, Path facts) {
    Integer level = combination.level();
    Integer threads = combination.threads();
    return new OptionsBuilder()
        .include(CodecBenchmark.class.getName() + "\\.oneCargo$")
        .param("direction", direction.name())
        .param("serializer", combination.serializer())
        .param("compressor", combination.compressor())
        .param("level", level == null ? CodecBenchmark.DEFAULT_LEVEL : level.toString())
        .param("form", combination.form().name())
        .param("codecThreads", threads == null ? CodecBenchmark.NO_THREADS : threads.toString())
        .param("cargo", options.from.cargo)
        .param("sizeBytes", Long.toString(options.size.bytes()))
        .param("seed", Long.toString(options.from.seed))
        .param("facts", facts.toString())
        .mode(Mode.SingleShotTime)
        .threads(1)
        .forks(1)
        .warmupForks(0)
        .warmupIterations(timing.warmup)
        .measurementIterations(timing.iterations)
        .shouldDoGC(true)
        .shouldFailOnError(true)
        .timeout(ITERATION_LIMIT)
        .jvmArgs(heap.jvmOptions().toArray(String[]::new))
        .output(log.toString())
        .build();
  }
}
