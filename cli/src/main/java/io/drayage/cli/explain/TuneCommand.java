package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.UnusableSystemException;
import io.drayage.bench.tune.TuneResult;
import io.drayage.bench.tune.TuneRun;
import io.drayage.bench.tune.TunedCodec;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage tune}: finds the settings that are the fastest here. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the fastest way to ship a cargo over netty on this machine and link: for each codec the"
          + " codec threads of both sides, the size of a segment and the number of connections.",
      "",
      "All settings get a few runs, the better half some more, and so on (successive halving). Of"
          + " settings that cannot be told apart it recommends the one that needs the least. The"
          + " recommendation goes to a file that throughput, worker and transactor read (--config).",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage tune",
      "  drayage tune --link 1gbit --size 200MB --serializer columnar --compressor none,zstd:1",
      "  drayage throughput --link 1gbit --size 1GB --config drayage.conf"
    })
public final class TuneCommand implements Callable<Integer> {
  private static final double NANOS_PER_S = 1e9;

  @Spec private CommandSpec spec;
  @Mixin private TuneOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    CargoSource source = validate(checks);
    List<TunedCodec> codecs = options.codecs();
    requireUsable(codecs);
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    requireMemory(source, heap.pairBytes(codecs.get(0).system(1)), checks);
    try (Link link = options.link.open(1, null)) {
      ResultFolder folder = ResultFolder.openForResult(options.from.out);
      RigPlan plan =
          new RigPlan(
              List.of(),
              new CargoSpec(
                  options.from.cargo, options.size.bytes(), source.heapBytes(), options.from.seed),
              1,
              0,
              heap,
              folder.logs(),
              Delivery.INTO_MEMORY,
              link);
      return tune(new TuneRun(plan, source, codecs, options.grid(), options.sweep), folder);
    }
  }

  private CargoSource validate(OptionChecks checks) {
    options.validate(checks);
    checks.requireWritable("--json", options.from.json);
    checks.requireWritable("--write", options.write);
    Path folder = options.write.toAbsolutePath().getParent();
    checks.require(
        !Files.isRegularFile(options.write) || (folder != null && Files.isWritable(folder)),
        "--write %s: the existing file cannot be kept, since its folder is not writable: name another file"
            .formatted(options.write));
    checks.requireFolder("--out", options.from.out);
    try {
      options.codecs().forEach(codec -> codec.system(1));
      return CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Before minutes are spent. */
  private static void requireUsable(List<TunedCodec> codecs) throws UnusableSystemException {
    for (TunedCodec codec : codecs) {
      String reason = Systems.whyUnusable(Contender.of(codec.system(1), SystemOptions.DEFAULT));
      if (reason != null) {
        throw new UnusableSystemException(
            "%s: %s: leave it out (--serializer, --compressor)".formatted(codec, reason));
      }
    }
  }

  private static void requireMemory(CargoSource source, long neededBytes, OptionChecks checks) {
    long availableBytes = HeapPlan.availableBytes();
    checks.require(
        neededBytes <= availableBytes,
        "a cargo of %s needs about %s of memory, %s are available: ship less (--size, --cargo)"
            .formatted(
                ByteSize.format(source.heapBytes()),
                ByteSize.format(neededBytes),
                ByteSize.format(availableBytes)));
  }

  private int tune(TuneRun run, ResultFolder folder) throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println(run.describe());
    err.flush();
    long beganNs = System.nanoTime();
    try (StepDisplay display = StepDisplay.onStandardError("tune", run.steps(), err)) {
      run.run(display);
    }
    TuneResult result =
        run.result(options.size.text(), (System.nanoTime() - beganNs) / NANOS_PER_S);
    PrintWriter out = spec.commandLine().getOut();
    run.tables()
        .forEach(
            table -> {
              table.toText().forEach(out::println);
              out.println();
            });
    out.println(
        "threads: worker/transactor; *: the choice for the codec; untuned: @cores, 1MiB, 1");
    out.flush();
    folder.keep(result);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    return recommend(run, result);
  }

  /** Shows the recommendation and where it is written, also if that fails. */
  private int recommend(TuneRun run, TuneResult result) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    TuneResult.Recommendation advice = result.recommendation();
    TunedConfig config = run.recommended();
    if (advice == null || config == null) {
      out.println("no setting succeeded");
      out.flush();
      return ExitCode.SOFTWARE;
    }
    out.println("why: " + advice.why());
    String where = "not written";
    try {
      where = write(config, advice, result.config());
    } finally {
      out.println(
          "recommended: %s, %s; took %.0f s, %s"
              .formatted(run.recommendedText(), gain(advice), result.config().tookS(), where));
      out.flush();
    }
    return ExitCode.OK;
  }

  private static String gain(TuneResult.Recommendation advice) {
    StringBuilder gain = new StringBuilder();
    gain.append(
        String.format(
            Locale.ROOT,
            "S+Q %.3f s, %.2fx as fast as its untuned setting",
            advice.medianS(),
            advice.overUntuned()));
    if (advice.overNext() != null) {
      gain.append(
          String.format(Locale.ROOT, ", %.2fx as fast as the next codec", advice.overNext()));
      gain.append(advice.toldApart() ? "" : " (cannot be told apart)");
    }
    return gain.toString();
  }

  private String write(
      TunedConfig config, TuneResult.Recommendation advice, TuneResult.Config measured)
      throws IOException {
    List<String> comments =
        List.of(
            "Written by drayage tune: %s, over %s, %d cores."
                .formatted(measured.cargoDescription(), measured.link(), measured.cores()),
            gain(advice) + ".",
            "Why: " + advice.why() + ".",
            "Read by drayage throughput, worker and transactor with --config; their own options win.");
    Optional<Path> kept = config.write(options.write, comments);
    return "written to "
        + options.write
        + kept.map(" (the file that was there is %s now)"::formatted).orElse("");
  }
}
