package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.profile.ProfilePlan;
import io.drayage.bench.profile.ProfileResult;
import io.drayage.bench.profile.ProfileRun;
import io.drayage.bench.profile.SuspectTable;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage profile}: where the time of systems goes, and which suspects are to blame. */
@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    description = {
      "Records profiles of worker and transactor while they ship, and removes every suspect alone,"
          + " to see whether that helps.",
      "",
      "Leaves a folder with index.html: flame graphs of each system and end by event, phase and"
          + " thread role, differences to the baseline both ways, a timeline, and the table of the"
          + " suspects. Needs no network and nothing installed; the recordings open in JDK Mission"
          + " Control.",
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
  @Spec private CommandSpec spec;
  @Mixin private ProfileOptions options;

  private final Set<ProfilerEvent> events = EnumSet.noneOf(ProfilerEvent.class);

  @Override
  public Integer call() throws IOException, InterruptedException, ProfilerException {
    CargoSource source = validate();
    requireProfiler();
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    requireMemory(heap);
    Path logs = ProfileRun.openFolder(options.folder());
    ProfileResult result;
    try (Link link = options.link.open(1, null)) {
      long smallerBytes = Math.min(options.experimentSize.bytes(), options.size.bytes());
      ProfilePlan plan =
          new ProfilePlan(
              rigPlan(source, options.size.bytes(), heap, logs, link),
              rigPlan(source, smallerBytes, heap, logs, link),
              options.experiments,
              options.experimentWarmup,
              events,
              !options.noKernelFrames,
              options.folder());
      result = ProfileRun.run(plan, source, spec.commandLine().getErr());
    }
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    print(result);
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
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
          "--system %s: peers run in processes without a profiler: name one of ours"
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

  /** Checked before minutes are spent. */
  private void requireProfiler() throws ProfilerException {
    ProfilerOffer offer = ProfilerOffer.of(events, !options.noKernelFrames);
    offer.requireAny(events);
    PrintWriter err = spec.commandLine().getErr();
    offer.statements(events).forEach(err::println);
    err.flush();
  }

  private void requireMemory(HeapPlan heap) {
    long neededBytes =
        options.systems.stream()
            .mapToLong(system -> 2 * heap.pairBytes(system))
            .max()
            .orElseThrow();
    long availableBytes = HeapPlan.availableBytes();
    new OptionChecks(spec)
        .require(
            neededBytes <= availableBytes,
            "a system with this cargo needs about %s of memory, for two pairs of processes; %s are available: ship less (--size, --cargo)"
                .formatted(ByteSize.format(neededBytes), ByteSize.format(availableBytes)));
  }

  private RigPlan rigPlan(CargoSource source, long sizeBytes, HeapPlan heap, Path logs, Link link) {
    return new RigPlan(
        options.systems.stream()
            .map(system -> Contender.of(system, SystemOptions.DEFAULT))
            .toList(),
        new CargoSpec(options.from.cargo, sizeBytes, source.heapBytes(), options.from.seed),
        options.iterations,
        options.warmup,
        heap,
        logs,
        Delivery.INTO_MEMORY,
        link);
  }

  private void print(ProfileResult result) {
    PrintWriter out = spec.commandLine().getOut();
    SuspectTable.text(result).forEach(out::println);
    result
        .allRuns()
        .filter(run -> run.status() == Status.FAILED)
        .forEach(
            run ->
                out.println(
                    "FAILED %s, %d: %s".formatted(run.system(), run.iteration(), run.error())));
    out.println(
        "%d flame graphs: %s"
            .formatted(result.graphs().size(), options.folder().resolve(ProfileRun.PAGE)));
    out.flush();
  }
}
