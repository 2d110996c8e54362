package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.ConfigOptions;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code drayage throughput}. */
final class ThroughputOptions {
  private static final String BASELINE = "grpc:java+none";
  private static final String DEFAULT_LIST = "default";
  private static final String STUDY_LIST = "study";

  /** The congestion control of a link applies to all who use it. */
  private static final String OF_A_LINK = "--congestion";

  /** Options of our systems only. A peer's parts are in its notation. */
  private static final List<String> OF_OURS =
      List.of(
          "--segment-size",
          "--chunk-size",
          "--connections",
          "--worker-threads",
          "--transactor-threads",
          OF_A_LINK,
          "--link-rate",
          ConfigOptions.CONFIG,
          "--ack",
          "--load");

  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      description =
          "What to compare, TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]; may be repeated."
              + " With @THREADS (or @cores) in parallel segments, without as one stream."
              + " Peers, which only receive: arrow-flight, arrow-flight:arrow+zstd,"
              + " socket:kryo-tuned+none, socket:kryo-tuned+zstd-mt."
              + " Default: the baseline grpc:java+none and four contenders; the baseline and the"
              + " system of --config.")
  List<SystemUnderTest> systems = new ArrayList<>();

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of each system (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Iterations of each system before them (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Mixin LinkOptions link = new LinkOptions();

  @Mixin SystemSettings system = new SystemSettings();

  @Mixin CommitSettings commit = new CommitSettings();

  @Mixin StreamSettings streaming = new StreamSettings();

  @Option(
      names = "--ceiling",
      description =
          "Also measure what the path and copies can do, and show each system's share and what"
              + " binds it, in some seconds; always done with a --link.")
  boolean ceiling;

  @Option(
      names = "--study",
      description =
          "Compare the study's 20 combinations as it did, over gRPC as one stream, and show its"
              + " figures beside (3 iterations after 1 warm-up).")
  boolean study;

  boolean isCeilingWanted() {
    return ceiling || !link.isLoopback();
  }

  /** How far a shipment goes, and from how many workers. */
  Delivery delivery() {
    return new Delivery(
        streaming.toStreaming(), streaming.stream ? null : commit.toCommits(), commit.workers);
  }

  /** The memory of a system's processes. */
  HeapPlan heapPlan(CargoSource source) {
    return streaming.stream ? streaming.heapPlan() : commit.heapPlan(source);
  }

  /** The system that the others are compared with: the published one, else the first. */
  String baseline() {
    List<String> names = names();
    return names.contains(BASELINE) ? BASELINE : names.get(0);
  }

  /** The names of the systems in results; after validation. */
  List<String> names() {
    return contenders(system.toOptions()).stream().map(Contender::name).toList();
  }

  /** The systems, set up like this. */
  List<Contender> contenders(SystemOptions set) {
    return systems.stream().map(one -> Contender.of(one, set)).toList();
  }

  /**
   * Checks everything that can be wrong, before a process is started, and completes the systems.
   *
   * @param given the options of the command line
   * @return the cargo
   */
  CargoSource validate(OptionChecks checks, ParseResult given) {
    checks.require(
        !study || !(given.hasMatchedOption("--system") || streaming.stream),
        "--study compares systems of its own: leave --system and --stream out");
    chooseSystems(given);
    Set<SystemUnderTest> seen = new HashSet<>();
    for (SystemUnderTest one : systems) {
      checks.require(seen.add(one), "--system %s is named twice: name each once".formatted(one));
    }
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireIterations("--warmup", warmup, 0);
    system.validate(checks, systems);
    requireDistinctNames(checks);
    List<String> ignored = ignoredByPeers(given);
    checks.require(
        ignored.isEmpty() || systems.stream().anyMatch(one -> !one.isPeer()),
        "%s: nothing to a peer: leave it out, or compare with a system that is none"
            .formatted(String.join(", ", ignored)));
    streaming.validate(checks, systems);
    requireWholeCommits(checks, given);
    commit.validate(checks);
    link.validate(checks);
    checks.requireWritable("--json", from.json);
    checks.requireFolder("--out", from.out);
    try {
      CargoSource source = CargoSources.parse(from.cargo, size.bytes(), from.seed);
      streaming.requireStreamable(checks, source);
      return source;
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private void chooseSystems(ParseResult given) {
    if (study) {
      SystemList list = SystemList.of(STUDY_LIST);
      systems = new ArrayList<>(list.systems());
      useIterations(
          given, Objects.requireNonNull(list.iterations()), Objects.requireNonNull(list.warmup()));
    } else if (streaming.stream) {
      // One passage of a large cargo tells as much as many of a small one, and takes minutes.
      if (systems.isEmpty()) {
        systems.add(Systems.notation().parse(StreamSettings.DEFAULT_SYSTEM));
      }
      useIterations(given, 1, 0);
    } else if (systems.isEmpty()) {
      SystemList.of(DEFAULT_LIST).systems().stream()
          .filter(one -> !system.tls || Systems.hasTls(one))
          .forEach(systems::add);
    } else if (systems.size() == 1 && !given.hasMatchedOption("--system") && !system.tls) {
      // The system of the settings has nothing to be compared with.
      systems = new ArrayList<>(List.of(Systems.notation().parse(BASELINE), systems.get(0)));
    }
  }

  private void useIterations(ParseResult given, int measured, int before) {
    if (!given.hasMatchedOption("--iterations")) {
      iterations = measured;
    }
    if (!given.hasMatchedOption("--warmup")) {
      warmup = before;
    }
  }

  /** With {@code --worker-threads}, systems that differ in their threads alone become the same. */
  private void requireDistinctNames(OptionChecks checks) {
    List<String> names = names();
    for (int i = 0; i < names.size(); i++) {
      int first = names.indexOf(names.get(i));
      checks.require(
          first == i,
          "--worker-threads, --transactor-threads: %s and %s are both %s with them: name one of them with --system"
              .formatted(systems.get(first), systems.get(i), names.get(i)));
    }
  }

  /** Options that are given and that peers do not have. */
  List<String> ignoredByPeers(ParseResult given) {
    return OF_OURS.stream()
        .filter(given::hasMatchedOption)
        .filter(option -> link.isLoopback() || !option.equals(OF_A_LINK))
        .toList();
  }

  private void requireWholeCommits(OptionChecks checks, ParseResult given) {
    if (delivery().commits() != null) {
      return;
    }
    for (String option : CommitSettings.OF_WHOLE_COMMITS) {
      checks.require(
          !given.hasMatchedOption(option),
          "%s goes with whole commits: leave %s out"
              .formatted(option, streaming.stream ? "--stream" : "--commit memory"));
    }
  }
}
