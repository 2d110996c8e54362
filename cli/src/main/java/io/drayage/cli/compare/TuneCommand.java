package io.drayage.cli.compare;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.tune.Grid;
import io.drayage.bench.tune.Setting;
import io.drayage.bench.tune.TuneRun;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.cli.options.SizeOption;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage tune}: finds the settings that are the fastest on this machine. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the fastest way to ship a cargo over netty on this machine and link: for each codec the"
          + " codec threads of both sides, the size of a segment and the number of connections.",
      "",
      "All settings get a few runs, the better half some more, and so on (successive halving). Of"
          + " settings without a measurable difference, it recommends the one with the lowest"
          + " resources. throughput, worker and transactor read the recommendation from a file"
          + " (--config).",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage tune",
      "  drayage throughput --config drayage.conf",
      "Examples, as root:",
      "  drayage tune --link 1gbit --size 200MB --serializer columnar --compressor none,zstd:1"
    })
public final class TuneCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CargoOptions from = new CargoOptions();

  @Mixin private ResultOptions results = new ResultOptions();

  @Mixin private SizeOption size = new SizeOption();

  @Option(
      names = "--compressor",
      paramLabel = "COMPRESSOR[:LEVEL]",
      split = ",",
      defaultValue = "none,lz4,zstd:1",
      description = "The compressors to tune for; may be repeated (default: ${DEFAULT-VALUE}).")
  private List<String> compressors = new ArrayList<>();

  @Option(
      names = "--serializer",
      paramLabel = "SERIALIZER",
      split = ",",
      defaultValue = "raw,columnar",
      description = "The serializers to try; may be repeated (default: ${DEFAULT-VALUE}).")
  private List<String> serializers = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "Codec threads to try on either side; may be repeated (default: powers of two up to all"
              + " cores).")
  private List<Integer> threads = new ArrayList<>();

  @Option(
      names = "--segment-size",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "256KiB,1MiB,4MiB",
      description =
          "Sizes of a segment to try, 64KiB to 4MiB; may be repeated (default: ${DEFAULT-VALUE}).")
  private List<ByteSize> segmentSizes = new ArrayList<>();

  @Option(
      names = "--connections",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2",
      description = "Connections to try, 1 to 16; may be repeated (default: ${DEFAULT-VALUE}).")
  private List<Integer> connections = new ArrayList<>();

  @Mixin private LinkOptions link = new LinkOptions();

  @Option(
      names = "--sweep",
      description =
          "Measure all settings as often as the best ones. It takes several times as long, and"
              + " shows whether halving missed a better one.")
  private boolean sweep;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      defaultValue = "drayage.conf",
      description = "The file of the recommended settings (default: ${DEFAULT-VALUE}).")
  private Path write = Path.of("drayage.conf");

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    CargoSource source = validate(checks);
    requireUsable();
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    long neededBytes = heap.pairBytes(Setting.system(codecs().get(0), 1));
    checks.requireMemory(source.heapBytes(), neededBytes, "ship less");
    try (ResultFolder folder = ResultFolder.openForResult(results.out);
        Link opened = link.open(1)) {
      RigPlan plan =
          new RigPlan(
              new CargoSpec(from.cargo, size.bytes(), source.heapBytes(), from.seed),
              heap,
              Delivery.INTO_MEMORY,
              opened);
      return tune(new TuneRun(plan, folder.logs(), source, codecs(), grid(), sweep), folder);
    }
  }

  private CargoSource validate(OptionChecks checks) {
    threads.forEach(
        count -> checks.requireCount("--threads", count, 1, SystemNotation.MAX_THREADS));
    connections.forEach(
        count -> checks.requireCount("--connections", count, 1, TransportOptions.MAX_CONNECTIONS));
    for (ByteSize segment : segmentSizes) {
      checks.require(
          segment.bytes() >= SegmentsSender.MIN_SEGMENT_BYTES
              && segment.bytes() <= SegmentsSender.MAX_SEGMENT_BYTES,
          "--segment-size must be 64KiB to 4MiB, not " + segment.text());
    }
    link.validate(checks);
    results.validate(checks);
    checks.requireWritable("--write", write);
    Path folder = write.toAbsolutePath().getParent();
    checks.require(
        !Files.isRegularFile(write) || (folder != null && Files.isWritable(folder)),
        "--write %s: the existing file cannot be kept, because its folder is not writable: name another file"
            .formatted(write));
    return checks.valid(
        () -> {
          codecs().forEach(codec -> Setting.system(codec, 1));
          return CargoSources.parse(from.cargo, size.bytes(), from.seed);
        });
  }

  /** Returns each serializer with each compressor. */
  private List<String> codecs() {
    return serializers.stream()
        .flatMap(
            serializer -> compressors.stream().map(compressor -> serializer + "+" + compressor))
        .distinct()
        .toList();
  }

  private Grid grid() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new Grid(
        threads.isEmpty() ? Grid.threadCounts(cores) : threads.stream().distinct().toList(),
        segmentSizes.stream().map(segment -> (int) segment.bytes()).distinct().toList(),
        connections.stream().distinct().toList(),
        cores);
  }

  /** Checks the systems before minutes are spent. */
  private void requireUsable() throws IOException {
    for (String codec : codecs()) {
      SystemUnderTest system = Setting.system(codec, 1);
      String reason = Systems.whyUnusable(Contender.of(system, SystemOptions.DEFAULT));
      if (reason != null) {
        throw new IOException(
            "%s: %s: leave it out (--serializer, --compressor)".formatted(codec, reason));
      }
    }
  }

  private int tune(TuneRun run, ResultFolder folder) throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println(run.describe());
    try (StepDisplay display = StepDisplay.onStandardError("tune", run.steps(), err)) {
      run.run(display);
    }
    Result<?> result = run.result(size.value().text());
    PrintWriter out = spec.commandLine().getOut();
    run.tables()
        .forEach(
            table -> {
              table.toText().forEach(out::println);
              out.println();
            });
    out.println("threads: worker/transactor; *: the choice for the codec; untuned: the defaults");
    folder.keep(result);
    results.write(result);
    Optional<TuneRun.Recommendation> advice = run.recommendation();
    if (advice.isEmpty()) {
      out.println("no setting succeeded");
      return ExitCode.SOFTWARE;
    }
    recommend(run, advice.get());
    return ExitCode.OK;
  }

  /** Shows the recommendation and the name of its file, even if writing it fails. */
  private void recommend(TuneRun run, TuneRun.Recommendation advice) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("why: " + advice.why());
    String where = "not written";
    try {
      Optional<Path> kept = run.write(write);
      where =
          "written to "
              + write
              + kept.map(" (the file that was there is %s now)"::formatted).orElse("");
    } finally {
      out.println(
          format(
              "recommended: %s, %s; took %.0f s, %s",
              advice.setting(), advice.gain(), run.tookS(), where));
    }
  }
}
