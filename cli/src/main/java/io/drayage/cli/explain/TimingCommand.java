package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecConfig;
import io.drayage.bench.codecs.CodecFlames;
import io.drayage.bench.codecs.CodecHeap;
import io.drayage.bench.codecs.CodecResult;
import io.drayage.bench.codecs.CodecSelection;
import io.drayage.bench.codecs.CodecTables;
import io.drayage.bench.codecs.CodecTiming;
import io.drayage.bench.codecs.RecordedIterations;
import io.drayage.bench.codecs.TimingRow;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.Form;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.cli.options.OptionChecks;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@code serialization} and {@code deserialization} have in common. */
abstract class TimingCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CodecOptions options;

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
      description = "Cargoes before them (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Processes of each codec, in turns with those of the others (default:"
              + " ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--alloc",
      description = "Show what one more cargo allocates on the heap, for each segment or MB.")
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

  /** How it was measured, as it stands in the result. */
  private record Measured(
      Direction direction,
      int forks,
      int iterations,
      int warmup,
      List<Integer> threads,
      List<String> jvmOptions) {}

  /** Counts of codec threads; none for the calling thread alone. */
  List<Integer> threads() {
    return List.of();
  }

  /** Whether the combinations are segments. */
  boolean isSegments() {
    return options.form == Form.SEGMENTS;
  }

  void validate(OptionChecks checks) {
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireIterations("--warmup", warmup, 0);
    checks.requireIterations("--forks", forks, 1);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    if (profile && options.from.out != null) {
      checks.requireFolderForRecordings("--out", options.from.out);
    }
  }

  @Override
  public Integer call() throws IOException, ProfilerException {
    OptionChecks checks = new OptionChecks(spec);
    validate(checks);
    CodecSelection selection = options.selection(checks).onThreads(threads()).forTiming();
    CargoSource source = options.source(checks);
    CodecHeap heap = CodecHeap.of(source);
    requireMemory(checks, heap);
    PrintWriter err = spec.commandLine().getErr();
    if (profile) {
      ProfilerOffer offer = ProfilerOffer.of(RecordedIterations.EVENTS, true);
      offer.requireAny(RecordedIterations.EVENTS);
      offer.statements(RecordedIterations.EVENTS).forEach(err::println);
    }
    ResultFolder folder = ResultFolder.openForResult(options.resultFolder());
    Path flames = folder.logs().resolveSibling("flames");
    CodecTiming timing =
        new CodecTiming(
            direction,
            options.cargo(),
            new CodecTiming.Repeats(forks, iterations, warmup),
            heap,
            folder.logs(),
            profile ? CodecFlames.in(flames) : null);
    err.println("%s of %s".formatted(timing.name(), source.describe()));
    err.flush();
    CodecResult<TimingRow> result = measure(timing, selection, source);
    print(selection, result, folder);
    folder.keep(result);
    err.println("kept in " + folder.result());
    if (profile) {
      err.println("flame graphs in " + flames);
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

  private CodecResult<TimingRow> measure(
      CodecTiming timing, CodecSelection selection, CargoSource source) throws IOException {
    List<Combination> combinations = selection.combinations();
    List<TimingRow> rows;
    try (StepDisplay display =
        StepDisplay.onStandardError(
            timing.name(), forks * combinations.size(), spec.commandLine().getErr())) {
      rows = timing.run(combinations, display);
    }
    Long rawBytes = null;
    for (TimingRow row : rows) {
      if (rawBytes == null && !row.combination().equals(Combination.COPY)) {
        rawBytes = row.volume().rawBytes();
      }
    }
    Measured measured =
        new Measured(direction, forks, iterations, warmup, threads(), timing.heap().jvmOptions());
    return CodecResult.of(
        CodecConfig.of(options.cargo(), source.describe(), rawBytes, selection, measured), rows);
  }

  private void print(CodecSelection selection, CodecResult<TimingRow> result, ResultFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    CodecTables.times(result.summary(), selection, direction, alloc).toText().forEach(out::println);
    result.failures().forEach(out::println);
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    out.println(CodecTables.verdictOfTimes(result.summary()));
    out.flush();
  }
}
