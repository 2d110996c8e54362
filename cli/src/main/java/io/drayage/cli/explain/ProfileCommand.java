package io.drayage.cli.explain;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.profile.ProfilePlan;
import io.drayage.bench.profile.ProfileResult;
import io.drayage.bench.profile.ProfileRun;
import io.drayage.bench.profile.SuspectTable;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.internal.Counted;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code drayage profile}: shows where systems spend their time, and which suspects are the cause.
 */
@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    description = {
      "Records profiles of worker and transactor while they ship, and removes each suspect"
          + " separately, to see whether that helps.",
      "",
      "Writes a folder with index.html: flame graphs of each system and end by event, phase and"
          + " thread role, differences to the baseline both ways, and the table of the suspects."
          + " The page needs no network and no installation; JDK Mission Control opens the"
          + " recordings.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage profile",
      "  drayage profile --size 256MB --system grpc:java+none --system netty:raw+none@2",
      "  drayage profile --event cpu --experiments 0 --system netty:columnar+none@2",
      "docs/measuring.md has questions and their answers."
    })
public final class ProfileCommand implements Callable<Integer> {
  private static final Path DEFAULT_FOLDER = Path.of("drayage-profile");

  @Spec private CommandSpec spec;
  @Mixin private CargoOptions from = new CargoOptions();

  @Mixin private ResultOptions results = new ResultOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "256MB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("256MB");

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      defaultValue = "grpc:java+none,netty:raw+none@2",
      description =
          "The systems to profile, as in 'drayage throughput'; may be repeated. The others are"
              + " compared with grpc:java+none, or with the first if that is not among them"
              + " (default: ${DEFAULT-VALUE}).")
  private List<SystemUnderTest> systems = new ArrayList<>();

  @Mixin private LinkOptions link = new LinkOptions();

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      defaultValue = "240s",
      description =
          "The time limit of shipping, warm-up included; experiments end earlier when all are"
              + " decided (default: ${DEFAULT-VALUE}).")
  private Duration budget = Duration.ofMinutes(4);

  @Option(
      names = "--event",
      paramLabel = "EVENT",
      split = ",",
      defaultValue = "cpu,wall,alloc",
      description =
          "The events to sample: cpu, wall, alloc, lock, nativemem (default: ${DEFAULT-VALUE}).")
  private List<String> eventWords = new ArrayList<>();

  @Option(
      names = "--no-kernel-frames",
      description =
          "Sample the CPU by timers, which do not see the kernel, from the beginning. Without this"
              + " option, timers are used only if perf events slow a system by more than 10 %%.")
  private boolean noKernelFrames;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Measured iterations of each system, which has two pairs of processes, one of them"
              + " recorded, and needs memory for both (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--experiments",
      paramLabel = "N",
      description =
          "Exactly this many turns of the experiments that remove one suspect each, at least 5; 0"
              + " for none.")
  private @Nullable Integer experiments;

  @Option(
      names = "--experiment-size",
      paramLabel = "SIZE",
      defaultValue = "24MB",
      description =
          "Size of the cargo of the experiments, at most that of --size (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteSize experimentSize = ByteSize.parse("24MB");

  private final Set<ProfilerEvent> events = EnumSet.noneOf(ProfilerEvent.class);

  @Override
  public Integer call() throws IOException, InterruptedException, ProfilerException {
    CargoSource source = validate();
    ProfilerOffer offer = requireProfiler();
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    long neededBytes = // For two pairs of processes.
        systems.stream().mapToLong(system -> 2 * heap.pairBytes(system)).max().orElseThrow();
    new OptionChecks(spec).requireMemory(source.heapBytes(), neededBytes, "ship less");
    ProfileResult result;
    try (ResultFolder to = ProfileRun.openFolder(folder());
        Link opened = link.open(1)) {
      long smallerBytes = Math.min(experimentSize.bytes(), size.bytes());
      ProfilePlan plan =
          new ProfilePlan(
              systems.stream().map(one -> Contender.of(one, SystemOptions.DEFAULT)).toList(),
              new RigPlan(cargo(source, size.bytes()), heap, Delivery.INTO_MEMORY, opened),
              cargo(source, smallerBytes),
              iterations,
              experiments,
              budget,
              events,
              offer.kernelFrames(),
              offer.statements(events),
              to.path(),
              to.logs());
      result = ProfileRun.run(plan, source, spec.commandLine().getErr());
    }
    results.write(result.toJson());
    print(result);
    return result.failed().findAny().isEmpty()
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }

  private Path folder() {
    return results.out == null ? DEFAULT_FOLDER : results.out;
  }

  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireDistinct("--system", systems);
    for (SystemUnderTest system : systems) {
      checks.require(
          !system.isPeer(),
          "--system %s: peers run in processes without a profiler: name another system"
              .formatted(system));
      String reason = Systems.whyUnusable(Contender.of(system, SystemOptions.DEFAULT));
      checks.require(reason == null, "--system %s: %s".formatted(system, reason));
    }
    checks.requireIterations("--iterations", iterations, 1);
    if (experiments != null && experiments != 0) {
      checks.requireIterations("--experiments", experiments, Interval.MIN_TURNS);
    }
    link.validate(checks);
    results.validate(checks);
    checks.requireFolderForRecordings("--out", folder());
    return checks.valid(
        () -> {
          eventWords.forEach(word -> events.add(ProfilerEvent.ofWord(word)));
          return CargoSources.parse(from.cargo, size.bytes(), from.seed);
        });
  }

  /** Checks the profiler before minutes are spent. */
  private ProfilerOffer requireProfiler() throws ProfilerException {
    ProfilerOffer offer = ProfilerOffer.of(events, !noKernelFrames);
    offer.requireAny(events);
    PrintWriter err = spec.commandLine().getErr();
    offer.statements(events).forEach(err::println);
    return offer;
  }

  private CargoSpec cargo(CargoSource source, long sizeBytes) {
    return new CargoSpec(from.cargo, sizeBytes, source.heapBytes(), from.seed);
  }

  private void print(ProfileResult result) {
    PrintWriter out = spec.commandLine().getOut();
    SuspectTable.text(result).forEach(out::println);
    result
        .failed()
        .forEach(
            run ->
                out.println(
                    format("FAILED %s, %d: %s", run.system(), run.iteration(), run.error())));
    out.println(
        format(
            "%s: %s",
            Counted.of(result.graphs().size(), "flame graph"), folder().resolve(ProfileRun.PAGE)));
  }
}
