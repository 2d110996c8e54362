package io.drayage.bench.profile;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.page.Page;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.RigProfiling;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import io.drayage.profiling.FrameRules;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage profile}: where the time of systems goes, and who is to blame. */
@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    description = {
      "Records profiles of worker and transactor while they ship, and takes every suspect away"
          + " alone, to see whether that helps.",
      "",
      "Leaves a folder with index.html: flame graphs of each system and end by event, phase and"
          + " role of the threads, differences to the baseline both ways, a timeline, and the table"
          + " of the suspects. Needs no network and nothing installed; the recordings open in JDK"
          + " Mission Control.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage profile",
      "  drayage profile --size 256MB --system grpc:java+none --system netty:raw+none@2",
      "  drayage profile --event cpu --experiments 0 --system netty:columnar+none@2",
      "docs/profiling.md goes from a question to its answer."
    })
public final class ProfileCommand implements Callable<Integer> {
  private static final String BASELINE = "grpc:java+none";
  private static final String PAGE = "index.html";
  private static final String RESULT = "profile.json";
  private static final String RECORDINGS = "recordings";
  private static final List<String> KINDS = List.of("study", "ours", "other");
  private static final int TOP_FRAMES = 15;

  @Spec private CommandSpec spec;
  @Mixin private ProfileOptions options;

  private Set<ProfilerEvent> events = EnumSet.noneOf(ProfilerEvent.class);

  @Override
  public Integer call() throws IOException, InterruptedException, ProfilerException {
    CargoSource source = validate();
    requireProfiler();
    Path folder = options.folder();
    Path logs = openFolder(folder);
    ProfileResult result;
    try (Link link = options.link.open(1, null)) {
      result = measure(source, folder, logs, link);
    }
    Page page = ProfilePage.of(result);
    page.writeTo(folder.resolve(PAGE));
    JsonFile.write(folder.resolve(RESULT), result);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    print(result, folder);
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /**
   * What an earlier session has left there goes: should this one be interrupted, it would look like
   * its.
   */
  private static Path openFolder(Path folder) throws IOException {
    Path logs = ResultFolder.open(folder).logs();
    Files.deleteIfExists(folder.resolve(PAGE));
    Files.deleteIfExists(folder.resolve(RESULT));
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(Graphs.FOLDER)), "*.html");
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(RECORDINGS)), "*.jfr*");
    return logs;
  }

  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    if (options.systems.isEmpty()) {
      ProfileOptions.DEFAULT_SYSTEMS.stream()
          .map(Systems.notation()::parse)
          .forEach(options.systems::add);
    }
    Set<SystemUnderTest> seen = new HashSet<>();
    for (SystemUnderTest system : options.systems) {
      checks.require(
          seen.add(system), "--system %s is named twice: name each once".formatted(system));
      checks.require(
          !system.isPeer(),
          "--system %s: a peer runs in processes of its own, without a profiler: name one of ours"
              .formatted(system));
      String reason = Systems.whyUnusable(Contender.of(system, SystemOptions.DEFAULT));
      checks.require(reason == null, "--system %s: %s".formatted(system, reason));
    }
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireIterations("--warmup", options.warmup, 0);
    checks.requireIterations("--experiment-warmup", options.experimentWarmup, 0);
    if (options.experiments != 0) {
      checks.requireIterations("--experiments", options.experiments, Interval.MIN_TURNS);
    }
    options.link.validate(checks);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    checks.requireFolderForRecordings("--out", options.folder());
    try {
      options.events.forEach(word -> events.add(ProfilerEvent.ofWord(word)));
      return CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Before minutes are spent. */
  private void requireProfiler() throws ProfilerException {
    ProfilerOffer offer = ProfilerOffer.of(events, !options.noKernelFrames);
    offer.requireAny(events);
    PrintWriter err = spec.commandLine().getErr();
    offer.statements(events).forEach(err::println);
    err.flush();
  }

  private ProfileResult measure(CargoSource source, Path folder, Path logs, Link link)
      throws IOException, InterruptedException {
    List<Contender> contenders =
        options.systems.stream()
            .map(system -> Contender.of(system, SystemOptions.DEFAULT))
            .toList();
    long experimentBytes = Math.min(options.experimentSize.bytes(), options.size.bytes());
    CargoSource smaller =
        CargoSources.parse(options.from.cargo, experimentBytes, options.from.seed);
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    requireMemory(contenders, heap);
    RigProfiling profiling =
        new RigProfiling(events, !options.noKernelFrames, folder.resolve(RECORDINGS));
    SystemSession.Plan plan =
        new SystemSession.Plan(
            plan(source, options.size.bytes(), heap, link, logs),
            plan(smaller, experimentBytes, heap, link, logs),
            options.iterations,
            options.warmup,
            options.experiments,
            options.experimentWarmup);
    int steps = contenders.stream().mapToInt(plan::steps).sum();
    PrintWriter err = spec.commandLine().getErr();
    err.println("shipping " + source.describe());
    err.flush();
    List<SystemSession> sessions = new ArrayList<>();
    try (StepDisplay display = StepDisplay.onStandardError("profile", steps, err)) {
      RunProgress progress = new RunProgress(display, steps);
      for (Contender contender : contenders) {
        SystemSession session =
            new SystemSession(plan, contender, sessions.size() + 1, profiling, progress);
        session.run();
        sessions.add(session);
      }
    }
    err.println("reading the recordings");
    err.flush();
    return analyse(source, folder, link, profiling, sessions);
  }

  private void requireMemory(List<Contender> contenders, HeapPlan heap) {
    long neededBytes =
        contenders.stream()
            .mapToLong(contender -> 2 * heap.pairBytes(contender.system()))
            .max()
            .orElseThrow();
    long availableBytes = HeapPlan.availableBytes();
    new OptionChecks(spec)
        .require(
            neededBytes <= availableBytes,
            "a system with this cargo needs about %s of memory, for two pairs of processes; %s are available: ship less (--size, --cargo)"
                .formatted(ByteSize.format(neededBytes), ByteSize.format(availableBytes)));
  }

  private RigPlan plan(CargoSource source, long sizeBytes, HeapPlan heap, Link link, Path logs) {
    return new RigPlan(
        List.of(),
        new CargoSpec(options.from.cargo, sizeBytes, source.heapBytes(), options.from.seed),
        options.iterations,
        options.warmup,
        heap,
        logs,
        Delivery.INTO_MEMORY,
        link);
  }

  private ProfileResult analyse(
      CargoSource source,
      Path folder,
      Link link,
      RigProfiling profiling,
      List<SystemSession> sessions)
      throws IOException {
    List<Run> runs = all(sessions, SystemSession::runs);
    List<Run> recordedRuns = all(sessions, SystemSession::recordedRuns);
    List<Outcome> outcomes = all(sessions, SystemSession::outcomes);
    FrameRules rules = FrameRules.ofDrayage();
    List<ProfiledEnd> ends = ProfiledEnd.read(profiling.recordings(), rules);
    List<SuspectRow> suspects = new ArrayList<>();
    List<Timeline> timelines = new ArrayList<>();
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      ProfiledEnd worker = ends.get(i);
      ProfiledEnd transactor = ends.get(i + 1);
      if (worker.shipments().isEmpty()) {
        continue; // Every iteration has failed: the runs say why.
      }
      timelines.add(Timeline.of(worker, transactor));
      suspects.addAll(suspects(worker, transactor, rules, runs, outcomes));
    }
    List<String> systems = options.systems.stream().map(SystemUnderTest::toString).toList();
    return new ProfileResult(
        ProfileResult.SCHEMA,
        Environment.capture(),
        config(source, systems, link, profiling),
        runs,
        recordedRuns,
        all(sessions, SystemSession::experimentRuns),
        systems.stream().map(system -> Overhead.of(system, runs, recordedRuns)).toList(),
        recordings(folder, profiling, ends),
        suspects,
        outcomes,
        ends.stream().flatMap(end -> TopFrame.of(end, TOP_FRAMES).stream()).toList(),
        timelines,
        Graphs.write(folder, ends, baseline(systems)));
  }

  private static <T> List<T> all(
      List<SystemSession> sessions, Function<SystemSession, List<T>> what) {
    return sessions.stream().map(what).flatMap(List::stream).toList();
  }

  private static List<SuspectRow> suspects(
      ProfiledEnd worker,
      ProfiledEnd transactor,
      FrameRules rules,
      List<Run> runs,
      List<Outcome> outcomes) {
    Double sqS = Overhead.median(worker.system(), runs);
    boolean kernel = worker.profile().showsKernel() || transactor.profile().showsKernel();
    List<Outcome> own =
        outcomes.stream().filter(outcome -> outcome.system().equals(worker.system())).toList();
    return Stream.concat(rules.rules().stream(), Stream.of(FrameRules.UNKNOWN))
        .map(
            rule ->
                SuspectRow.of(
                    rule, worker, transactor, kernel || !rules.needsKernel(rule), sqS, own))
        .filter(
            row ->
                !row.kind().equals("other")
                    || !row.worker().isNothing()
                    || !row.transactor().isNothing())
        .sorted(Comparator.comparing(row -> KINDS.indexOf(row.kind())))
        .toList();
  }

  private static List<ProfileResult.RecordingSummary> recordings(
      Path folder, RigProfiling profiling, List<ProfiledEnd> ends) {
    List<ProfileResult.RecordingSummary> summaries = new ArrayList<>();
    for (ProfiledEnd end : ends) {
      Path file =
          profiling.recordings().stream()
              .filter(recording -> recording.system().equals(end.system()))
              .filter(recording -> recording.ofWorker() == end.ofWorker())
              .findFirst()
              .orElseThrow()
              .file();
      summaries.add(
          new ProfileResult.RecordingSummary(
              end.system(),
              end.side(),
              folder.toAbsolutePath().relativize(file).toString(),
              end.shipments().size(),
              end.profile().samplesOf(ProfilerEvent.CPU).count(),
              end.cpuS(),
              end.shares().waitNs() / 1e9,
              end.shares().row(FrameRules.UNKNOWN).cpu(),
              end.shares().row(FrameRules.UNKNOWN).waiting(),
              end.profile().eventCounts().segments(),
              end.profile().eventCounts().creditStalls(),
              end.profile().eventCounts().queueDepths(),
              end.profile().collections().size()));
    }
    return summaries;
  }

  private static String baseline(List<String> systems) {
    return systems.contains(BASELINE) ? BASELINE : systems.get(0);
  }

  private ProfileResult.Config config(
      CargoSource source, List<String> systems, Link link, RigProfiling profiling) {
    boolean sizeCounts = CargoSources.sizeCounts(options.from.cargo);
    @Nullable Long size = sizeCounts ? options.size.bytes() : null;
    @Nullable Long smaller =
        sizeCounts ? Math.min(options.experimentSize.bytes(), options.size.bytes()) : null;
    return new ProfileResult.Config(
        size,
        smaller,
        options.from.cargo,
        source.describe(),
        options.from.seed,
        systems,
        baseline(systems),
        options.events,
        profiling.statements(),
        options.iterations,
        options.warmup,
        options.experiments,
        options.experimentWarmup,
        link.text(),
        link.facts());
  }

  private void print(ProfileResult result, Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    ProfileTable.of(result).forEach(out::println);
    for (Run run :
        Stream.of(result.runs(), result.recordedRuns(), result.experimentRuns())
            .flatMap(List::stream)
            .toList()) {
      if (run.status() == Status.FAILED) {
        out.println("FAILED %s, %d: %s".formatted(run.system(), run.iteration(), run.error()));
      }
    }
    out.println("%d flame graphs: %s".formatted(result.graphs().size(), folder.resolve(PAGE)));
    out.flush();
  }
}
