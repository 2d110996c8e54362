package io.drayage.cli.explain;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecCargo;
import io.drayage.bench.codecs.CodecHeap;
import io.drayage.bench.codecs.CodecSelection;
import io.drayage.bench.codecs.CodecTables;
import io.drayage.bench.codecs.CodecTiming;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Direction;
import io.drayage.bench.codecs.RecordedIterations;
import io.drayage.bench.codecs.TimingRow;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.cli.options.OptionChecks;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The common part of {@code serialization} and {@code deserialization}. */
abstract class TimingCommand extends CodecCommand<TimingRow> {
  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured cargoes of each codec and process (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "3",
      description = "Cargoes before the measured ones (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Processes of each codec, alternately with those of the others (default:"
              + " ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--alloc",
      description = "Show the heap memory that one more cargo allocates, for each segment or MB.")
  private boolean alloc;

  @Option(
      names = "--profile",
      description =
          "Record the measured cargoes, and leave flame graphs of each codec (cpu, alloc) in the"
              + " folder of the result. Times are then those of a profiled process.")
  private boolean profile;

  private final Direction direction;

  TimingCommand(Direction direction) {
    this.direction = direction;
  }

  /** The settings of the measurement, for the result. */
  private record How(
      Direction direction,
      int forks,
      int iterations,
      int warmup,
      List<Integer> threads,
      List<String> jvmOptions) {}

  /** Returns the numbers of codec threads; empty for the calling thread alone. */
  List<Integer> threads() {
    return List.of();
  }

  @Override
  void validate(OptionChecks checks, @Nullable Path out) {
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireIterations("--warmup", warmup, 0);
    checks.requireIterations("--forks", forks, 1);
    if (profile && out != null) {
      checks.requireFolderForRecordings("--out", out);
    }
  }

  @Override
  List<Combination> prepare(OptionChecks checks, List<Combination> selected, CargoSource source)
      throws ProfilerException {
    CodecHeap heap = CodecHeap.of(source);
    checks.requireMemory(heap.cargoBytes(), heap.expectedBytes(), "measure a smaller one");
    if (profile) {
      ProfilerOffer offer = ProfilerOffer.of(RecordedIterations.EVENTS, true);
      offer.requireAny(RecordedIterations.EVENTS);
      offer.statements(RecordedIterations.EVENTS).forEach(this::report);
    }
    return CodecSelection.forTiming(selected, threads());
  }

  @Override
  Measured<TimingRow> measure(
      List<Combination> combinations, CodecCargo cargo, CargoSource source, ResultFolder folder)
      throws IOException {
    report("%s of %s".formatted(direction, source.describe()));
    CodecHeap heap = CodecHeap.of(source);
    CodecTiming timing =
        new CodecTiming(
            direction,
            cargo,
            new CodecTiming.Repeats(forks, iterations, warmup),
            heap,
            folder.logs(),
            profile ? Files.createDirectories(flames(folder)) : null);
    try (StepDisplay display =
        StepDisplay.onStandardError(
            direction.toString(), forks * combinations.size(), spec.commandLine().getErr())) {
      List<TimingRow> rows = timing.run(combinations, display);
      Long rawBytes =
          rows.stream()
              .filter(row -> !row.combination().equals(Combination.COPY))
              .map(row -> row.volume().rawBytes())
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      return new Measured<>(
          rows,
          rawBytes,
          new How(direction, forks, iterations, warmup, threads(), heap.jvmOptions()),
          CodecTables.times(rows, direction, alloc),
          CodecTables.verdictOfTimes(rows));
    }
  }

  private static Path flames(ResultFolder folder) {
    return folder.path().resolve("flames");
  }

  @Override
  void reportFiles(boolean allOk, ResultFolder folder) {
    if (!allOk) {
      report("logs: " + folder.logs());
    }
    if (profile) {
      report("flame graphs in " + flames(folder));
    }
  }
}
