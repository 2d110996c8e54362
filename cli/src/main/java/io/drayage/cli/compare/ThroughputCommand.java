package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.ceiling.PathCeilings;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.history.HistoryFolder;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.report.TerminalText;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Verdict;
import io.drayage.bench.rig.GroupedPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.RunConfig;
import io.drayage.bench.rig.TurnPlan;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code drayage throughput}: compares systems by shipping one cargo through each, alternately. */
@Command(
    name = "throughput",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Ships one cargo through each system, alternately, and shows which system is the fastest, and"
          + " by how much.",
      "",
      "Each system has its own worker and transactor process on this machine, connected over"
          + " loopback or over a link of a rate (--link). The systems warm up, then run"
          + " alternately until the ratios to the baseline are known within 7 %%, or until"
          + " --budget is spent. Every turn begins with a new database, and compares the digests"
          + " of the sent, the applied and the loaded data.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage throughput",
      "  drayage throughput --size 1GB --budget 5m --json result.json \\",
      "      --system grpc:java+none --system netty:raw+none@cores",
      "  drayage throughput --launches 3 --history history --keep-as main --out run",
      "  drayage throughput --size 1GB --ack applied --load own --workers 3 \\",
      "      --system netty:raw+none@2 --system netty:raw+zstd:1@2",
      "Examples, as root:",
      "  drayage throughput --preset links --link 1gbit",
      "Examples, with the file of 'drayage tune':",
      "  drayage throughput --config drayage.conf"
    })
public class ThroughputCommand implements Callable<Integer> {
  private static final String BLANKS = "      ";

  /** The part of the time for rungs that are whole commits: one in this many. */
  private static final int PARTS_OF_COMMITS = 5;

  private static final long MAX_FLOOR_BYTES = 1_000_000_000;

  /** The bytes of a pass, in cargoes: shorter passes are measured inexactly. */
  private static final int CARGOES_OF_PASS = 4;

  @Spec private CommandSpec spec;
  @Mixin private ThroughputOptions options;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    ParseResult given = spec.commandLine().getParseResult();
    options.complete(checks, given, ownPreset());
    CargoSource source = options.validate(checks, given);
    List<String> ignored = options.ignoredByPeers(given);
    if (!ignored.isEmpty() && options.hasPeers()) {
      tell("the peers ignore " + String.join(", ", ignored));
    }
    SystemOptions set = options.system.toOptions();
    try (Link link = options.link.open(options.commit.workers, options.commit.transactorLink)) {
      if (!options.system.tls) {
        return compare(source, link, set);
      }
      try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
        return compare(source, link, set.withCertificates(certificates.folder()));
      }
    }
  }

  /** Returns the preset that the command stands for; empty if the user chooses. */
  String ownPreset() {
    return "";
  }

  private int compare(CargoSource source, Link link, SystemOptions set)
      throws IOException, InterruptedException {
    List<Rung> rungs = options.rungs(set);
    Map<String, String> skipped = skipped(rungs);
    List<Rung> usable = rungs.stream().filter(rung -> !skipped.containsKey(rung.name())).toList();
    List<Rung> shipments = usable.stream().filter(Rung::isShipmentAlone).toList();
    List<Rung> commits = usable.stream().filter(rung -> !rung.isShipmentAlone()).toList();
    GroupedPlan plan = plan(shipments, source, link);
    try (ResultFolder folder = ResultFolder.openKept(options.results.out, spec.name())) {
      tell("shipping " + source.describe());
      if (plan.groups().size() > 1) {
        tell(
            "in %s, because not all fit into memory"
                .formatted(Counted.of(plan.groups().size(), "group")));
      }
      PrintWriter err = spec.commandLine().getErr();
      String baseline = options.baseline();
      Measurement ofCommits =
          ofCommits(commits, plan.groups().size(), source, link, folder, skipped);
      Measurement measured =
          RunProgress.show(spec.name(), plan, baseline, folder, 0, err).and(ofCommits);
      List<Summary> summaries =
          options.isLadder()
              ? Summary.ofRungs(rungs, skipped, measured)
              : Summary.of(rungs.stream().map(Rung::name).toList(), baseline, measured);
      RunConfig config =
          RunConfig.of(
              CommandText.of(spec),
              plan,
              options.size(),
              source,
              baseline,
              usable.stream().map(Rung::contender).toList(),
              set);
      Result<Summary> result =
          Result.of(
                  Environment.capture(measured.othersBusyPercent()),
                  config,
                  measured.runs(),
                  summaries,
                  summaries.stream().noneMatch(one -> one.status() == Status.FAILED))
              .with(
                  "ceilings",
                  options.isCeilingWanted()
                      ? ceilings(link, folder).withShares(summaries, measured.runs())
                      : null)
              .with("floor", floor(source, usable, link, folder))
              .with(
                  "study",
                  options.isStudy() ? StudyRow.of(summaries, options.size().bytes()) : null);
      return end(result, folder);
    }
  }

  /**
   * Returns systems of a preset that this machine cannot run, with the reasons. A system that the
   * user names must run.
   */
  private Map<String, String> skipped(List<Rung> rungs) throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (Rung rung : rungs) {
      String reason = Systems.whyUnusable(rung.contender());
      boolean isChosen = !options.isPreset();
      if (reason != null && isChosen && rung.contender().system().isPeer()) {
        throw new IOException(reason);
      }
      if (reason != null && !isChosen) {
        reasons.put(rung.name(), reason);
        tell("skipping %s: %s".formatted(rung.name(), reason));
      }
    }
    return reasons;
  }

  /**
   * Measures the rungs that are always whole commits, as a short ladder of their own.
   *
   * @param groupsBefore number of groups of the other rungs
   * @param skipped receives these rungs if memory is too small for them
   */
  private Measurement ofCommits(
      List<Rung> rungs,
      int groupsBefore,
      CargoSource source,
      Link link,
      ResultFolder folder,
      Map<String, String> skipped)
      throws IOException, InterruptedException {
    if (rungs.isEmpty()) {
      return Measurement.of(List.of());
    }
    String baseline = rungs.get(0).name();
    TurnPlan turns = options.turns().forPart(baseline, PARTS_OF_COMMITS);
    try {
      GroupedPlan plan = GroupedPlan.of(rungs, turns, rigPlan(rungs, source, link));
      return RunProgress.show(
          spec.name(), plan, baseline, folder, groupsBefore, spec.commandLine().getErr());
    } catch (IllegalArgumentException e) {
      rungs.forEach(rung -> skipped.put(rung.name(), e.getMessage()));
      tell("skipping whole commits: " + e.getMessage());
      return Measurement.of(List.of());
    }
  }

  private GroupedPlan plan(List<Rung> rungs, CargoSource source, Link link) {
    try {
      return GroupedPlan.of(rungs, options.turns(), rigPlan(rungs, source, link));
    } catch (IllegalArgumentException e) {
      throw new OptionChecks(spec)
          .usageError(
              "a cargo of %s: %s: ship less (--size, --cargo), with fewer workers (--workers), or only into the transactor's memory (--commit memory)"
                  .formatted(ByteSize.format(source.heapBytes()), e.getMessage()));
    }
  }

  private RigPlan rigPlan(List<Rung> rungs, CargoSource source, Link link) {
    return new RigPlan(
        new CargoSpec(
            options.from.cargo, options.size().bytes(), source.heapBytes(), options.from.seed),
        options.heapPlan(source, rungs),
        options.delivery(source, rungs),
        link);
  }

  private @Nullable Floor floor(
      CargoSource source, List<Rung> rungs, Link link, ResultFolder folder)
      throws InterruptedException {
    return PathCeilings.floor(
        Math.min(MAX_FLOOR_BYTES, CARGOES_OF_PASS * source.heapBytes()),
        options.isWhole(rungs),
        link,
        Path.of(System.getProperty("java.io.tmpdir")),
        folder.logs(),
        spec.commandLine().getErr());
  }

  private Ceilings ceilings(Link link, ResultFolder folder) throws InterruptedException {
    int steps = PathCeilings.steps(link, folder.logs());
    try (StepDisplay display =
        StepDisplay.onStandardError("ceilings", steps, spec.commandLine().getErr())) {
      return PathCeilings.measure(link, folder.logs(), display);
    }
  }

  /** Prints the result from its file, so that later readers see the same. */
  private int end(Result<Summary> result, ResultFolder folder)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    options.results.write(result);
    ReportRun run = FinishedRun.keep(result, folder);
    TerminalText.of(run, options.verbose, charset()).forEach(out::println);
    out.println();
    Path page = FinishedRun.complete(run, folder.path(), spec.commandLine().getErr());
    out.println("page: " + page);
    HistoryFolder history = options.history.folder();
    if (history != null && options.keepAs != null) {
      out.println("kept: " + history.keep(options.keepAs, result));
    }
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    hints(run.verdict()).forEach(out::println);
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<String> hints(Verdict verdict) {
    List<String> hints = new ArrayList<>();
    hints.add("next: ./drayage profile                  where the time goes, and why");
    if (!verdict.isSettled() && !options.isLadder()) {
      hints.add(BLANKS + "./drayage throughput --budget 5m   narrower intervals");
    }
    if (!options.isLadder()) {
      hints.add(BLANKS + "./drayage ladder                   what each change brings");
    }
    hints.add(BLANKS + "./drayage tune                     the best settings for this machine");
    return hints;
  }

  /**
   * Returns the charset of standard output. JDKs before 19 have other names for it, and only for a
   * terminal.
   */
  private static Charset charset() {
    return Stream.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .findFirst()
        .map(name -> Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.US_ASCII)
        .orElse(StandardCharsets.US_ASCII);
  }

  private void tell(String line) {
    spec.commandLine().getErr().println(line);
  }
}
