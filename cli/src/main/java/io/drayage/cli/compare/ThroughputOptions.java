package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.TurnPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Division;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.Transports;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.HistoryOption;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code drayage throughput}: common ones first, then rare ones under headings. */
final class ThroughputOptions {
  private static final String BASELINE = Systems.PUBLISHED;
  private static final String DEFAULT_LIST = "default";

  /** The default system of {@code --one-transaction}. */
  private static final String TOGETHER = "netty:raw+none@cores";

  private static final ByteSize DEFAULT_SIZE = ByteSize.parse("256MB");
  private static final Duration DEFAULT_BUDGET = Duration.ofSeconds(150);
  private static final Duration MAX_BUDGET = Duration.ofHours(24);

  /** Options of our systems only. A peer has its settings in its notation. */
  private static final List<String> OF_OURS =
      List.of(
          "--segment-size",
          "--chunk-size",
          "--connections",
          "--worker-threads",
          "--transactor-threads",
          "--link-rate",
          "--config",
          "--ack",
          "--load",
          "--store-rate");

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      split = ",",
      description =
          "What to compare, TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]; may be repeated."
              + " With @THREADS (or @cores) in parallel segments, without as one stream."
              + " Peers, which only receive: arrow-flight, arrow-flight:arrow+zstd,"
              + " socket:kryo-tuned+none, socket:kryo-tuned+zstd-mt. Default: grpc:java+none,"
              + " grpc-tuned:raw+none@cores and netty:raw+none@cores; the baseline and the system"
              + " of --config.")
  List<SystemUnderTest> systems = new ArrayList<>();

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Compare a list of systems instead: study (its 20 combinations, with its figures), ladder"
              + " (one change a rung), peers (other projects), links (the choices for a --link).")
  @Nullable String preset;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "Size of a cargo of thesis or tpch: 100MB, 1GB, 64MiB (default: 256MB; study:"
              + " 100MB; ladder, links: 1GB).")
  private @Nullable ByteSize size;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description =
          "The time limit, warm-up included: 90s, 5m. The command ends earlier when every ratio is"
              + " known within 7 %%, and exceeds the limit by a fifth for at least 5 turns"
              + " (default: 150s; ladder, peers, links: 5m).")
  private @Nullable Duration budget;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Exactly this many turns of each system, without a time limit.")
  @Nullable Integer iterations;

  @Mixin LinkOptions link = new LinkOptions();

  private final Instant started = Instant.now();

  @Mixin CargoOptions from = new CargoOptions();
  @Mixin ResultOptions results = new ResultOptions();
  @Mixin HistoryOption history = new HistoryOption();

  @Option(
      names = "--keep-as",
      paramLabel = "NAME",
      description =
          "Also keep the result under NAME in --history, for 'compare --baseline NAME' and 'report"
              + " --history'.")
  @Nullable String keepAs;

  @Option(
      names = "--verbose",
      description =
          "Also print the phases, the memory and the load of the stages, which the page has too.")
  boolean verbose;

  @ArgGroup(validate = false, heading = "%nOptions of a commit:%n")
  CommitSettings commit = new CommitSettings();

  @ArgGroup(validate = false, heading = "%nRarely needed:%n")
  SystemSettings system = new SystemSettings();

  /** Null if the user has chosen the systems. */
  private @Nullable SystemList list;

  boolean isCeilingWanted() {
    return system.ceiling || !link.isLoopback();
  }

  boolean isPreset() {
    return list != null;
  }

  boolean isLadder() {
    return list != null && list.isLadder();
  }

  boolean isStudy() {
    return "study".equals(preset);
  }

  boolean hasPeers() {
    return systems.stream().anyMatch(SystemUnderTest::isPeer);
  }

  ByteSize size() {
    return Objects.requireNonNullElse(size, DEFAULT_SIZE);
  }

  private Duration budget() {
    return Objects.requireNonNullElse(budget, DEFAULT_BUDGET);
  }

  /** Returns the turns of the systems. Their time budget begins with the command. */
  TurnPlan turns() {
    TurnPlan turns =
        iterations == null
            ? TurnPlan.untilKnown(baseline(), system.warmup, started, budget())
            : TurnPlan.fixed(iterations, system.warmup);
    return turns.withLaunches(system.launches);
  }

  /** Returns the reach of a shipment of some rungs, and its number of workers. */
  Delivery delivery(CargoSource source, List<Rung> rungs) {
    return new Delivery(isWhole(rungs) ? commit.toCommits(source) : null, commit.workers);
  }

  HeapPlan heapPlan(CargoSource source, List<Rung> rungs) {
    return commit.heapPlan(
        source, isWhole(rungs), rungs.stream().map(rung -> rung.contender().system()).toList());
  }

  /** Whether commits end when their snapshot is stored and loaded. */
  boolean isWhole(List<Rung> rungs) {
    return commit.isWhole() || rungs.stream().noneMatch(Rung::isShipmentAlone);
  }

  /** Returns the system that the others are compared with: the published one, else the first. */
  String baseline() {
    List<String> names = rungs(system.toOptions()).stream().map(Rung::name).toList();
    return names.contains(BASELINE) ? BASELINE : names.get(0);
  }

  /** Returns the systems with these settings, each with its baseline. */
  List<Rung> rungs(SystemOptions set) {
    if (list != null && !system.tls) {
      return list.rungs(set);
    }
    List<Contender> contenders =
        systems.stream().map(one -> Contender.of(one, set)).flatMap(this::divided).toList();
    String first =
        contenders.stream()
            .map(Contender::name)
            .filter(BASELINE::equals)
            .findFirst()
            .orElse(contenders.get(0).name());
    return contenders.stream().map(contender -> new Rung("", contender, first)).toList();
  }

  /** Returns the rows of a system, one for each kind of commit. */
  private Stream<Contender> divided(Contender contender) {
    if (!commit.oneTransaction) {
      return Stream.of(contender);
    }
    return Stream.of(Division.ALONE, Division.COMMITS, Division.TOGETHER)
        .filter(division -> division != Division.COMMITS || commit.workers > 1)
        .map(division -> contender.dividing(division, commit.workers));
  }

  /**
   * Completes the systems, and sets each value of a preset that no option, variable or file sets.
   *
   * @param own the preset that the command stands for; empty for none
   */
  void complete(OptionChecks checks, ParseResult given, String own) {
    boolean isPresetGiven = given.hasMatchedOption("--preset");
    boolean isOtherGiven = given.hasMatchedOption("--system");
    boolean isOwn = !own.isEmpty();
    checks.require(
        !isOwn || !isPresetGiven, "--preset: the command is a preset itself: leave it out");
    checks.require(
        !(isOwn || isPresetGiven) || !isOtherGiven,
        "--preset has its own systems: leave --system out");
    if (isOwn) {
      preset = own;
    } else if (isOtherGiven) {
      preset = null; // of the environment or a file
    }
    completeTurns(checks, given);
    if (commit.oneTransaction) {
      checks.require(
          preset == null,
          "--one-transaction: a preset has its own rows: name systems with --system");
      if (systems.isEmpty()) {
        systems = new ArrayList<>(List.of(Systems.notation().parse(TOGETHER)));
      }
      return;
    }
    checks.require(
        preset == null || !system.tls,
        "--tls: a preset has systems without TLS: name systems over netty with --system");
    if (preset != null) {
      usePreset(checks, preset);
    } else if (systems.isEmpty()) {
      usePreset(checks, DEFAULT_LIST);
    } else if (systems.size() == 1 && !given.hasMatchedOption("--system") && !system.tls) {
      // A system of the settings has no baseline.
      systems = new ArrayList<>(List.of(Systems.notation().parse(BASELINE), systems.get(0)));
    }
  }

  /** Lets a budget of the command line win over a number of the environment or a file. */
  private void completeTurns(OptionChecks checks, ParseResult given) {
    if (given.hasMatchedOption("--budget")) {
      checks.require(
          !given.hasMatchedOption("--iterations"),
          "--iterations sets the number of turns, and --budget their time: give only one of them");
      iterations = null;
    }
  }

  private void usePreset(OptionChecks checks, String name) {
    try {
      list = SystemList.of(name);
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--preset: " + e.getMessage());
    }
    systems =
        new ArrayList<>(
            list.rungs(SystemOptions.DEFAULT).stream()
                .map(rung -> rung.contender().system())
                .filter(one -> !system.tls || Transports.hasTls(one.transport()))
                .toList());
    if (iterations == null && budget == null) {
      iterations = list.iterations();
      system.warmup = system.warmup == null ? list.warmup() : system.warmup;
    }
    if (list.size() != null && size == null) {
      size = ByteSize.parse(list.size());
    }
    if (list.commit() != null && commit.reach == null) {
      commit.reach = CommitSettings.Reach.valueOf(list.commit().toUpperCase(Locale.ROOT));
    }
    if (list.budget() != null && budget == null) {
      budget = Duration.parse("PT" + list.budget());
    }
  }

  /**
   * Checks all options, before a process is started.
   *
   * @param given the options of the command line
   * @return the cargo
   */
  CargoSource validate(OptionChecks checks, ParseResult given) {
    if (list == null) {
      checks.requireDistinct("--system", systems);
    }
    if (iterations != null) {
      checks.requireIterations("--iterations", iterations, 1);
    }
    if (system.warmup != null) {
      checks.requireIterations("--warmup", system.warmup, 0);
    }
    checks.require(
        budget().compareTo(Duration.ofSeconds(1)) >= 0 && budget().compareTo(MAX_BUDGET) <= 0,
        "--budget must be 1s to 24h, not "
            + budget().toString().substring("PT".length()).toLowerCase(Locale.ROOT));
    system.validate(checks, systems);
    requireDistinctNames(checks);
    List<String> ignored = ignoredByPeers(given);
    checks.require(
        ignored.isEmpty() || systems.stream().anyMatch(one -> !one.isPeer()),
        "%s: no effect on a peer: leave it out, or add a system that is not a peer"
            .formatted(String.join(", ", ignored)));
    requireWholeCommits(checks, given);
    requireFragments(checks);
    commit.validate(checks, link.isLoopback());
    link.validate(checks);
    results.validate(checks);
    history.validate(checks, "--keep-as", keepAs);
    return checks.valid(() -> CargoSources.parse(from.cargo, size().bytes(), from.seed));
  }

  /** Refuses systems that {@code --worker-threads} makes equal. */
  private void requireDistinctNames(OptionChecks checks) {
    List<Rung> rungs = rungs(system.toOptions());
    Set<String> seen = new HashSet<>();
    for (Rung rung : rungs) {
      checks.require(
          seen.add(rung.name()),
          "--worker-threads, --transactor-threads: they make two systems equal, %s: name only one of these with --system"
              .formatted(rung.name()));
    }
  }

  /** Returns the given options that peers do not have. */
  List<String> ignoredByPeers(ParseResult given) {
    return OF_OURS.stream().filter(given::hasMatchedOption).toList();
  }

  private void requireFragments(OptionChecks checks) {
    for (SystemUnderTest one : systems) {
      checks.require(
          !commit.oneTransaction
              || (one.isParallel() && Transports.carriesTransactions(one.transport())),
          "--one-transaction: %s sends no fragments: name systems over netty, in segments, such as %s"
              .formatted(one, TOGETHER));
    }
  }

  private void requireWholeCommits(OptionChecks checks, ParseResult given) {
    if (commit.isWhole()) {
      return;
    }
    for (String option : CommitSettings.OF_WHOLE_COMMITS) {
      checks.require(
          !given.hasMatchedOption(option),
          "%s is only for whole commits: write --commit whole".formatted(option));
    }
  }
}
