package io.drayage.bench.codecs;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.cli.options.OptionChecks;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** One run of {@code drayage serialization} or {@code deserialization}. */
record TimingRun(
    Direction direction,
    CommandSpec spec,
    CodecOptions options,
    TimingOptions timing,
    ThreadCounts threads) {
  private static final String PUBLISHED_SCORE = "score_vs_java_none";

  /**
   * How it was measured, as it stands in the result.
   *
   * @param threads counts of codec threads; empty if no sender was measured
   * @param jvmOptions of every process
   */
  private record Measured(
      Direction direction,
      int forks,
      int iterations,
      int warmup,
      List<Integer> threads,
      List<String> jvmOptions) {}

  int call() throws IOException, ProfilerException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireIterations("--iterations", timing.iterations, 1);
    checks.requireIterations("--warmup", timing.warmup, 0);
    checks.requireIterations("--forks", timing.forks, 1);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    if (timing.profile && options.from.out != null) {
      checks.requireFolderForRecordings("--out", options.from.out);
    }
    threads.check(checks, options);
    Selection selection;
    CargoSource source;
    try {
      selection = Selection.of(options).onThreads(threads.counts).forTiming();
      source = CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
    CodecHeap heap = CodecHeap.of(source);
    requireMemory(checks, heap);
    if (timing.profile) {
      requireProfiler();
    }
    ResultFolder folder = ResultFolder.openForResult(options.resultFolder());
    List<TimingRow> rows = measure(selection, source, heap, folder);
    CodecResult result = result(selection, source, heap, rows);
    print(selection, result, rows, folder);
    folder.keep(result);
    spec.commandLine().getErr().println("kept in " + folder.result());
    if (timing.profile) {
      spec.commandLine()
          .getErr()
          .println("flame graphs in " + folder.logs().resolveSibling("flames"));
    }
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void requireMemory(OptionChecks checks, CodecHeap heap) {
    long availableBytes = HeapPlan.availableBytes();
    checks.require(
        heap.expectedBytes() <= availableBytes,
        "a cargo of %s needs about %s of memory, %s are available: measure a smaller one (--size, --cargo)"
            .formatted(
                ByteSize.format(heap.cargoBytes()),
                ByteSize.format(heap.expectedBytes()),
                ByteSize.format(availableBytes)));
  }

  private List<TimingRow> measure(
      Selection selection, CargoSource source, CodecHeap heap, ResultFolder folder)
      throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("%s of %s".formatted(name(), source.describe()));
    err.flush();
    Timing runs =
        new Timing(
            new TimedProcess(direction, options, timing, heap, profiles(folder)),
            published(),
            options.size.bytes(),
            folder.logs());
    int steps = timing.forks * selection.combinations().size();
    try (StepDisplay display = StepDisplay.onStandardError(name(), steps, err)) {
      return runs.measure(selection.combinations(), timing.forks, display);
    }
  }

  private @Nullable Path profiles(ResultFolder folder) throws IOException {
    if (!timing.profile) {
      return null;
    }
    Path profiles = Files.createDirectories(folder.logs().resolveSibling("flames"));
    ResultFolder.deleteAll(profiles, "*.jfr*");
    return profiles;
  }

  private void requireProfiler() throws ProfilerException {
    ProfilerOffer offer = ProfilerOffer.of(RecordedIterations.EVENTS, true);
    offer.requireAny(RecordedIterations.EVENTS);
    offer.statements(RecordedIterations.EVENTS).forEach(spec.commandLine().getErr()::println);
  }

  private PublishedFigures published() {
    return options.isStudyCargo()
        ? PublishedFigures.of(name() + ".csv", PUBLISHED_SCORE)
        : PublishedFigures.none();
  }

  private String name() {
    return direction.name().toLowerCase(Locale.ROOT);
  }

  private CodecResult result(
      Selection selection, CargoSource source, CodecHeap heap, List<TimingRow> rows) {
    @Nullable Long rawBytes =
        rows.stream()
            .filter(row -> row.rawBytes() != null && !row.combination().equals(Combination.COPY))
            .map(TimingRow::rawBytes)
            .findFirst()
            .orElse(null);
    Measured measured =
        new Measured(
            direction,
            timing.forks,
            timing.iterations,
            timing.warmup,
            threads.counts,
            heap.jvmOptions());
    return new CodecResult(
        CodecResult.SCHEMA,
        Environment.capture(),
        CodecConfig.of(options, source.describe(), rawBytes, selection, measured),
        rows);
  }

  private void print(
      Selection selection, CodecResult result, List<TimingRow> rows, ResultFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    TimingTable table = new TimingTable(direction, timing.alloc);
    int study = selection.study().size();
    table.of(rows.subList(0, study), rows.subList(study, rows.size())).forEach(out::println);
    for (TimingRow row : rows) {
      if (row.status() == Status.FAILED) {
        out.println("FAILED %s: %s".formatted(row.combination(), row.error()));
      }
    }
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    out.println(table.verdict(rows));
    out.flush();
  }
}
