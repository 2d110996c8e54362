package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.ceiling.PathCeilings;
import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.ThroughputResult;
import io.drayage.bench.result.Verdict;
import io.drayage.bench.rig.AvailableMemory;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.Rig;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.PeerSystem;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.bench.system.UnusableSystemException;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
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
          + " over loopback or over a link of a rate (--link), with ZooKeeper inside the transactor and snapshots in a folder. A whole"
          + " commit is timed: from the request until the worker has loaded the snapshot. Every"
          + " iteration begins with a new database, and compares the digests of what was sent, what"
          + " was applied and what was loaded.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage throughput",
      "  drayage throughput --size 1GB --json result.json \\",
      "      --system grpc:java+none --system netty:raw+none@cores",
      "  drayage throughput --size 1GB --ack applied --load own --workers 3 \\",
      "      --system netty:raw+none@2 --system netty:raw+zstd:1@2",
      "  drayage throughput --link 1gbit --size 1GB --system grpc:java+none \\",
      "      --system netty:columnar+zstd@2",
      "  drayage throughput --size 1GB --config drayage.conf",
      "  drayage throughput --study",
      "  drayage throughput --stream --size 20GB --heap 1g"
    })
public final class ThroughputCommand implements Callable<Integer> {
  /** The congestion control of a link is that of all who use it. */
  private static final String OF_A_LINK = "--congestion";

  /** What only our systems know. A peer's parts are in its notation. */
  private static final List<String> OF_OURS =
      List.of(
          "--segment-size",
          "--chunk-size",
          "--connections",
          "--worker-threads",
          "--transactor-threads",
          OF_A_LINK,
          "--link-rate",
          "--config",
          "--ack",
          "--load");

  @Spec private CommandSpec spec;
  @Mixin private ThroughputOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source = validate();
    sayWhatPeersIgnore();
    requirePeers();
    try (Link link = options.link.open(options.commit.workers, options.system.congestion)) {
      return compare(source, link);
    }
  }

  private void requirePeers() throws IOException {
    for (SystemUnderTest system : options.systems) {
      Optional<String> reason = PeerSystem.of(system).flatMap(PeerSystem::whyUnusable);
      if (reason.isPresent()) {
        throw new UnusableSystemException(reason.get());
      }
    }
  }

  private int compare(CargoSource source, Link link) throws IOException, InterruptedException {
    SystemOptions plain = options.system.toOptions();
    if (!options.system.tls) {
      return compare(source, link, plain);
    }
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      return compare(source, link, plain.withCertificates(certificates.folder()));
    }
  }

  private int compare(CargoSource source, Link link, SystemOptions set)
      throws IOException, InterruptedException {
    HeapPlan heap =
        options.streaming.stream ? options.streaming.heapPlan() : options.commit.heapPlan(source);
    List<List<Contender>> groups = groups(set, heap, source);
    ResultFolder folder = ResultFolder.openKept(options.from.out, "throughput");
    List<RigPlan> plans = new ArrayList<>();
    for (List<Contender> group : groups) {
      Path logs = groups.size() == 1 ? folder.logs() : folder.logsOfGroup(plans.size() + 1);
      plans.add(plan(group, source, heap, link, logs));
    }
    ThroughputResult result = measure(plans, source, link, folder);
    print(result, folder);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    FinishedRun.keep(result, folder, spec.commandLine().getErr());
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private RigPlan plan(
      List<Contender> group, CargoSource source, HeapPlan heap, Link link, Path logs) {
    return new RigPlan(
        group,
        options.from.cargo,
        options.size.bytes(),
        source.heapBytes(),
        options.from.seed,
        options.iterations,
        options.warmup,
        heap,
        logs,
        options.streaming.toStreaming(),
        options.commits(),
        options.commit.workers,
        link);
  }

  /** Everything that can be wrong with the options is said before a process is started. */
  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        !options.study || (options.systems.isEmpty() && !options.streaming.stream),
        "--study compares systems of its own: leave --system and --stream out");
    useConfig(options.config.read(checks));
    if (options.streaming.stream) {
      useDefaultsOfStreaming();
    } else if (options.study) {
      useDefaultsOfStudy();
    }
    if (options.systems.isEmpty()) {
      ThroughputOptions.DEFAULT_SYSTEMS.stream()
          .map(Systems.notation()::parse)
          .filter(system -> !options.system.tls || Systems.hasTls(system))
          .forEach(options.systems::add);
    }
    Set<SystemUnderTest> seen = new HashSet<>();
    for (SystemUnderTest system : options.systems) {
      checks.require(
          seen.add(system), "--system %s is named twice: name each once".formatted(system));
    }
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireIterations("--warmup", options.warmup, 0);
    options.system.validate(checks, options.systems);
    requireNamesOfTheirOwn(checks);
    requireOneOfOurs(checks);
    options.streaming.validate(checks, options.systems);
    requireWholeCommits(checks);
    options.commit.validate(checks);
    options.link.validate(checks);
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

  /** With {@code --worker-threads}, two systems may be the same that only differ in theirs. */
  private void requireNamesOfTheirOwn(OptionChecks checks) {
    List<String> names = options.names();
    for (int i = 0; i < names.size(); i++) {
      int first = names.indexOf(names.get(i));
      checks.require(
          first == i,
          "--worker-threads, --transactor-threads: %s and %s are both %s with them: name one of them with --system"
              .formatted(options.systems.get(first), options.systems.get(i), names.get(i)));
    }
  }

  /** What peers ignore would be ignored silently. */
  private void requireOneOfOurs(OptionChecks checks) {
    List<String> ignored = ignoredByPeers();
    checks.require(
        ignored.isEmpty() || options.systems.stream().anyMatch(system -> !system.isPeer()),
        "%s: nothing to a peer: leave it out, or compare with a system that is none"
            .formatted(String.join(", ", ignored)));
  }

  private List<String> ignoredByPeers() {
    ParseResult given = spec.commandLine().getParseResult();
    return OF_OURS.stream()
        .filter(given::hasMatchedOption)
        .filter(option -> options.link.isLoopback() || !option.equals(OF_A_LINK))
        .toList();
  }

  private void sayWhatPeersIgnore() {
    List<String> ignored = ignoredByPeers();
    if (!ignored.isEmpty() && options.systems.stream().anyMatch(SystemUnderTest::isPeer)) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("the peers ignore " + String.join(", ", ignored));
      err.flush();
    }
  }

  /** Its system is compared with the baseline, if no other is named. */
  private void useConfig(TunedConfig config) {
    ParseResult given = spec.commandLine().getParseResult();
    options.system.use(config, given);
    SystemUnderTest tuned = config.system();
    if (tuned == null
        && (config.workerThreads() != null || config.transactorThreads() != null)
        && !given.hasMatchedOption("--system")) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("--config names no system for its threads: those of @THREADS count");
      err.flush();
    }
    if (tuned != null && options.systems.isEmpty() && !options.study) {
      if (!options.streaming.stream && !options.system.tls) {
        options.systems.add(Systems.notation().parse(ThroughputOptions.BASELINE));
      }
      options.systems.add(tuned);
    }
  }

  /** What belongs to whole commits would be ignored silently without them. */
  private void requireWholeCommits(OptionChecks checks) {
    if (options.commits() != null) {
      return;
    }
    ParseResult given = spec.commandLine().getParseResult();
    for (String option : CommitSettings.OF_WHOLE_COMMITS) {
      checks.require(
          !given.hasMatchedOption(option),
          "%s goes with whole commits: leave %s out"
              .formatted(option, options.streaming.stream ? "--stream" : "--commit memory"));
    }
  }

  /** One passage of a large cargo says as much as many of a small one, and takes minutes. */
  private void useDefaultsOfStreaming() {
    if (options.systems.isEmpty()) {
      options.systems.add(Systems.notation().parse(StreamSettings.DEFAULT_SYSTEM));
    }
    useIterations(1, 0);
  }

  private void useDefaultsOfStudy() {
    options.systems.addAll(Study.systems());
    useIterations(Study.ITERATIONS, Study.WARMUP);
  }

  private void useIterations(int iterations, int warmup) {
    ParseResult given = spec.commandLine().getParseResult();
    if (!given.hasMatchedOption("--iterations")) {
      options.iterations = iterations;
    }
    if (!given.hasMatchedOption("--warmup")) {
      options.warmup = warmup;
    }
  }

  private List<List<Contender>> groups(SystemOptions set, HeapPlan heap, CargoSource source) {
    List<Contender> contenders =
        options.systems.stream().map(system -> Contender.of(system, set)).toList();
    Contender baseline =
        contenders.stream()
            .filter(contender -> contender.name().equals(options.baseline()))
            .findFirst()
            .orElseThrow();
    ToLongFunction<Contender> bytesOf = contender -> heap.pairBytes(contender.system());
    // What is written to the disk takes memory too, until it is there.
    long storedBytes = options.commits() == null ? 0 : options.commit.workers * source.heapBytes();
    long availableBytes = Math.max(0, AvailableMemory.bytes() - storedBytes);
    List<List<Contender>> groups = Groups.of(contenders, baseline, bytesOf, availableBytes);
    for (List<Contender> group : groups) {
      long neededBytes = Groups.bytes(group, bytesOf);
      new OptionChecks(spec)
          .require(
              neededBytes <= availableBytes,
              "%s with a cargo of %s need about %s of memory, %s are available: ship less (--size, --cargo), with fewer workers (--workers), or only into the transactor's memory (--commit memory)"
                  .formatted(
                      group.stream().map(Contender::name).collect(Collectors.joining(" and ")),
                      ByteSize.format(source.heapBytes()),
                      ByteSize.format(neededBytes),
                      ByteSize.format(availableBytes)));
    }
    return groups;
  }

  private ThroughputResult measure(
      List<RigPlan> plans, CargoSource source, Link link, ResultFolder folder)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("shipping " + source.describe());
    if (plans.size() > 1) {
      err.println("in %d groups, since not all fit into the memory".formatted(plans.size()));
    }
    err.flush();
    List<Run> runs = new ArrayList<>();
    int steps = plans.stream().mapToInt(RigPlan::steps).sum();
    try (StepDisplay display = StepDisplay.onStandardError("throughput", steps, err)) {
      Progress progress = new Progress(plans, display);
      for (int i = 0; i < plans.size(); i++) {
        int group = i + 1;
        new Rig(plans.get(i), progress).run().forEach(run -> runs.add(run.inGroup(group)));
      }
    }
    List<Summary> summaries = Summary.of(options.names(), options.baseline(), runs);
    return new ThroughputResult(
        ThroughputResult.SCHEMA,
        Environment.capture(),
        RunConfig.of(CommandText.of(spec), plans, options, source),
        runs,
        summaries,
        isCeilingWanted() ? ceilings(link, folder).withShares(summaries, runs) : null,
        options.study ? Study.rows(summaries, options.size.bytes()) : null);
  }

  private boolean isCeilingWanted() {
    return options.ceiling || !options.link.isLoopback();
  }

  private Ceilings ceilings(Link link, ResultFolder folder) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    int steps = PathCeilings.steps(link, folder.logs());
    try (StepDisplay display = StepDisplay.onStandardError("ceilings", steps, err)) {
      return PathCeilings.measure(link, folder.logs(), display);
    }
  }

  private void print(ThroughputResult result, ResultFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    String baseline = options.baseline();
    ResultTable.of(result.summary(), baseline).forEach(out::println);
    PhasesTable.of(result.summary()).forEach(out::println);
    if (result.ceilings() != null) {
      CeilingsTable.of(result.ceilings()).forEach(out::println);
    }
    if (result.study() != null) {
      Study.lines(result.study()).forEach(out::println);
    }
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
