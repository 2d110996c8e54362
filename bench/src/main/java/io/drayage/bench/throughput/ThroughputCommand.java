package io.drayage.bench.throughput;

import io.drayage.bench.ByteSize;
import io.drayage.bench.OptionChecks;
import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.ThroughputResult;
import io.drayage.bench.rig.AvailableMemory;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.Rig;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.ThrowAwayCertificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code drayage throughput}: compares systems by shipping one cargo through each, in turns. */
@Command(
    name = "throughput",
    mixinStandardHelpOptions = true,
    description = {
      "Ships one cargo through each system, in turns, and compares how fast.",
      "",
      "Each system has a worker and a transactor process of its own on this machine, connected"
          + " over loopback. Every iteration compares the digest of what was sent with that of"
          + " what was applied.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage throughput",
      "  drayage throughput --size 1GB --json result.json \\",
      "      --system grpc:java+none --system netty:raw+none@cores",
      "  drayage throughput --stream --size 20GB --heap 1g"
    })
public final class ThroughputCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ThroughputOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source = validate();
    SystemOptions plain = options.system.toOptions();
    if (!options.system.tls) {
      return compare(source, plain);
    }
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      return compare(source, plain.withCertificates(certificates.folder()));
    }
  }

  private int compare(CargoSource source, SystemOptions set)
      throws IOException, InterruptedException {
    HeapPlan heap = options.streaming.heapPlan(source);
    requireMemory(heap, source);
    ResultFolder folder = ResultFolder.open(options.from.out);
    RigPlan plan =
        new RigPlan(
            options.systems.stream().map(system -> Contender.of(system, set)).toList(),
            options.from.cargo,
            options.size.bytes(),
            source.heapBytes(),
            options.from.seed,
            options.iterations,
            options.warmup,
            heap,
            folder.logs(),
            options.streaming.toStreaming());
    ThroughputResult result = measure(plan, source);
    print(result, folder);
    folder.keep(result);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Everything that can be wrong with the options is said before a process is started. */
  private CargoSource validate() {
    if (options.streaming.stream) {
      useDefaultsOfStreaming();
    }
    if (options.systems.isEmpty()) {
      ThroughputOptions.DEFAULT_SYSTEMS.stream()
          .map(Systems.notation()::parse)
          .filter(system -> !options.system.tls || Systems.hasTls(system))
          .forEach(options.systems::add);
    }
    OptionChecks checks = new OptionChecks(spec);
    Set<SystemUnderTest> seen = new HashSet<>();
    for (SystemUnderTest system : options.systems) {
      checks.require(
          seen.add(system), "--system %s is named twice: name each once".formatted(system));
    }
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireIterations("--warmup", options.warmup, 0);
    options.system.validate(checks, options.systems);
    options.streaming.validate(checks, options.systems);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    try {
      CargoSource source =
          CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
      options.streaming.requireStreamable(checks, source);
      return source;
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** One passage of a large cargo says as much as many of a small one, and takes minutes. */
  private void useDefaultsOfStreaming() {
    ParseResult given = spec.commandLine().getParseResult();
    if (options.systems.isEmpty()) {
      options.systems.add(Systems.notation().parse(StreamSettings.DEFAULT_SYSTEM));
    }
    if (!given.hasMatchedOption("--iterations")) {
      options.iterations = 1;
    }
    if (!given.hasMatchedOption("--warmup")) {
      options.warmup = 0;
    }
  }

  private void requireMemory(HeapPlan heap, CargoSource source) {
    long neededBytes = options.systems.stream().mapToLong(heap::pairBytes).sum();
    long availableBytes = AvailableMemory.bytes();
    new OptionChecks(spec)
        .require(
            neededBytes <= availableBytes,
            "%d systems with a cargo of %s need about %s of memory, %s are available: ship less (--size, --cargo) or compare fewer systems (--system)"
                .formatted(
                    options.systems.size(),
                    ByteSize.format(source.heapBytes()),
                    ByteSize.format(neededBytes),
                    ByteSize.format(availableBytes)));
  }

  private ThroughputResult measure(RigPlan plan, CargoSource source)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("shipping " + source.describe());
    err.flush();
    List<Run> runs;
    try (StepDisplay display = StepDisplay.onStandardError("throughput", plan.steps(), err)) {
      runs = new Rig(plan, new Progress(plan, display)).run();
    }
    List<String> systems = plan.contenders().stream().map(Contender::name).toList();
    return new ThroughputResult(
        ThroughputResult.SCHEMA,
        Environment.capture(),
        RunConfig.of(plan, options, source),
        runs,
        Summary.of(systems, options.baseline(), runs));
  }

  private void print(ThroughputResult result, ResultFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    String baseline = options.baseline();
    ResultTable.of(result.summary(), baseline).forEach(out::println);
    for (Run run : result.runs()) {
      if (run.status() == Status.FAILED) {
        String which = run.iteration() == 0 ? "a warm-up" : "iteration " + run.iteration();
        out.println("FAILED %s, %s: %s".formatted(run.system(), which, run.error()));
      }
    }
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    out.println(Verdict.of(result.summary(), baseline, result.runs()));
    out.flush();
  }
}
