package io.drayage.cli.explain;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.ceiling.CeilingPlan;
import io.drayage.bench.ceiling.CeilingRow;
import io.drayage.bench.ceiling.CeilingRun;
import io.drayage.bench.ceiling.CeilingSummary;
import io.drayage.bench.environment.Tools;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Status;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.transport.netty.NativeIo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage ceiling}: measures the limits of this machine, step by step. */
@Command(
    name = "ceiling",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the limits of this machine: copies and raw segments on one core, a socket between"
          + " two processes, iperf3 on the same path if it is installed, an object of a store on the"
          + " disk, and passes that do each step of a commit once; each with its CPU time.",
      "",
      "The socket is the transport's own, without a codec: frames of 1 MiB, read and dropped."
          + " Compare S+Q of 'drayage throughput' with it: a shipment without compression is"
          + " expected to reach at least 0.55 of its rate.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage ceiling",
      "  drayage ceiling --size 1GB --disk /var/tmp --json ceiling.json",
      "Examples, as root:",
      "  drayage ceiling --link 10gbit"
    })
public final class CeilingCommand implements Callable<Integer> {
  private static final long MAX_CODEC_BYTES = 64_000_000;
  private static final long MIN_BYTES = 10_000;
  private static final long MAX_BYTES = 1_000_000_000_000L;

  @Spec private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description =
          "Bytes through the socket and to the disk, over a link at most those of one second; a"
              + " core converts a cargo of this size, but at most 64MB (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("1GB");

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of each row (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "3",
      description = "Iterations of each row before them (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Mixin private LinkOptions link = new LinkOptions();

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description = "The folder of the object (default: the temporary folder).")
  private @Nullable Path disk;

  @Mixin private ResultOptions results = new ResultOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    validate();
    try (ResultFolder folder = ResultFolder.openForResult(results.out);
        Link opened = link.open(1)) {
      return measure(opened, folder);
    }
  }

  private int measure(Link over, ResultFolder folder) throws IOException, InterruptedException {
    CeilingPlan plan =
        new CeilingPlan(
            CeilingRow.available(),
            size.bytes(),
            Math.min(size.bytes(), MAX_CODEC_BYTES),
            iterations,
            warmup,
            disk == null ? Path.of(System.getProperty("java.io.tmpdir")) : disk,
            folder.logs(),
            over);
    PrintWriter err = spec.commandLine().getErr();
    try (StepDisplay display = StepDisplay.onStandardError("ceiling", plan.steps(), err)) {
      CeilingRun run = new CeilingRun(plan, display).run();
      List<CeilingSummary> summary = run.summary();
      boolean allOk = summary.stream().allMatch(row -> row.status() == Status.OK);
      Result<CeilingSummary> result =
          Result.of(config(plan), summary, allOk).with("runs", run.runs());
      print(plan, result, folder);
      folder.keep(result);
      results.write(result);
      return allOk ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void validate() {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        size.bytes() >= MIN_BYTES && size.bytes() <= MAX_BYTES,
        "--size must be 10KB to 1TB, not " + size.text());
    link.validate(checks);
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireIterations("--warmup", warmup, 0);
    checks.require(
        disk == null || Files.isDirectory(disk),
        "--disk %s is no folder: name one that exists".formatted(disk));
    results.validate(checks);
  }

  private Map<String, Object> config(CeilingPlan plan) throws IOException {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("size", size.text());
    config.put("sizeBytes", plan.wireBytes());
    config.put("codecBytes", plan.codecBytes());
    config.put("iterations", iterations);
    config.put("warmup", warmup);
    config.put("link", plan.link().text());
    config.put("linkFacts", plan.link().facts());
    config.put("io", NativeIo.best().name().toLowerCase(Locale.ROOT));
    config.put("diskType", Files.getFileStore(plan.disk()).type());
    config.put("sinkShare", CeilingSummary.sinkShare(plan.link()));
    config.put("jvmOptions", plan.jvmOptions());
    return config;
  }

  private void print(CeilingPlan plan, Result<CeilingSummary> result, ResultFolder folder)
      throws IOException {
    PrintWriter to = spec.commandLine().getOut();
    CeilingSummary.table(result.summary()).toText().forEach(to::println);
    for (CeilingSummary row : result.summary()) {
      if (row.status() == Status.FAILED) {
        to.println("FAILED %s: %s".formatted(row.row(), row.error()));
      }
    }
    if (!result.allOk()) {
      to.println("logs: " + folder.logs());
    }
    to.println(
        format(
            "medians of %d; a core turns %s of thesis; store on %s",
            iterations,
            ByteSize.format(plan.codecBytes()),
            Files.getFileStore(plan.disk()).type()));
    if (!Tools.isInstalled("iperf3")) {
      to.println("iperf3 is not installed, and is not measured");
    }
    to.println(
        CeilingSummary.verdict(
            result.summary(), plan.wireBytes(), CeilingSummary.sinkShare(plan.link())));
    Floor floor = CeilingSummary.floor(result.summary());
    if (floor != null) {
      to.println(CeilingSummary.verdict(floor));
    }
  }
}
