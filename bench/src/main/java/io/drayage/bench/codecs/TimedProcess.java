package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.CodecBenchmark;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.WorkFacts;
import io.drayage.bench.result.JsonFile;
import io.drayage.profiling.FlameGraphs;
import io.drayage.profiling.Profile;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import io.drayage.profiling.ThreadRoles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
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
 * @param profiles the folder for recordings and flame graphs; null to record nothing
 */
record TimedProcess(
    Direction direction,
    CodecOptions options,
    TimingOptions timing,
    CodecHeap heap,
    @Nullable Path profiles) {
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
      if (profiles != null) {
        addPart(recording(combination, profiles));
        draw(combination, profiles);
      }
      return new Times(timesS, JsonFile.read(facts, WorkFacts.class));
    } finally {
      Files.delete(facts);
    }
  }

  private Options options(Combination combination, Path log, Path facts) {
    Integer level = combination.level();
    Integer threads = combination.threads();
    ChainedOptionsBuilder all = new OptionsBuilder();
    if (profiles != null) {
      Path part = part(recording(combination, profiles)).toAbsolutePath();
      all.addProfiler(RecordedIterations.class, part.toString());
    }
    return all.include(CodecBenchmark.class.getName() + "\\.oneCargo$")
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

  private Path recording(Combination combination, Path folder) {
    String name = "%s-%s".formatted(direction.name().toLowerCase(Locale.ROOT), combination);
    return folder.resolve(name.replaceAll("[^A-Za-z0-9.]+", "-") + ".jfr");
  }

  /** The recording of one process, until it is added to those of the processes before. */
  private static Path part(Path recording) {
    return recording.resolveSibling(recording.getFileName() + ".part");
  }

  /** A recording is a row of chunks, each readable by itself. */
  private static void addPart(Path recording) throws IOException {
    Path part = part(recording);
    try (OutputStream out =
        Files.newOutputStream(recording, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      Files.copy(part, out);
    }
    Files.delete(part);
  }

  private void draw(Combination combination, Path folder) throws IOException {
    Path recording = recording(combination, folder);
    Profile profile = Profile.read(recording, ThreadRoles.ofDrayage());
    for (ProfilerEvent event : RecordedIterations.EVENTS) {
      List<Sample> samples = profile.samplesOf(event).toList();
      if (!samples.isEmpty()) {
        String name =
            recording.getFileName().toString().replace(".jfr", "-" + event.word() + ".html");
        FlameGraphs.write(
            folder.resolve(name),
            "%s of %s: %s"
                .formatted(direction.name().toLowerCase(Locale.ROOT), combination, event.word()),
            samples);
      }
    }
  }
}
