package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.ceiling.PathCeilings;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.report.SummaryTables;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Conclusion;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.GroupedPlan;
import io.drayage.bench.rig.RunConfig;
import io.drayage.bench.rig.TurnPlan;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.PeerSystem;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.bench.system.UnusableSystemException;
import io.drayage.bench.table.Table;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage throughput}: compares systems by shipping one cargo through each, in turns. */
@Command(
    name = "throughput",
    mixinStandardHelpOptions = true,
    description = {
      "Ships one cargo through each system, in turns, and compares how fast.",
      "",
      "Each system has a worker and a transactor process of its own on this machine, connected"
          + " over loopback or over a link of a rate (--link), with ZooKeeper inside the transactor"
          + " and snapshots in a folder. A whole commit is timed: from the request until the worker"
          + " has loaded the snapshot. Every iteration begins with a new database, and compares the"
          + " digests of what was sent, what was applied and what was loaded.",
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
  @Spec private CommandSpec spec;
  @Mixin private ThroughputOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source =
        options.validate(new OptionChecks(spec), spec.commandLine().getParseResult());
    requirePeers();
    try (Link link = options.link.open(options.commit.workers, options.system.congestion)) {
      return options.system.tls ? compareSecured(source, link) : compare(source, link, plain());
    }
  }

  private SystemOptions plain() {
    return options.system.toOptions();
  }

  private int compareSecured(CargoSource source, Link link)
      throws IOException, InterruptedException {
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      return compare(source, link, plain().withCertificates(certificates.folder()));
    }
  }

  private void requirePeers() throws IOException {
    if (options.systems.stream().noneMatch(SystemUnderTest::isPeer)) {
      return;
    }
    List<String> ignored = options.ignoredByPeers(spec.commandLine().getParseResult());
    if (!ignored.isEmpty()) {
      tell("the peers ignore " + String.join(", ", ignored));
    }
    for (SystemUnderTest system : options.systems) {
      Optional<String> reason = PeerSystem.of(system).flatMap(PeerSystem::whyUnusable);
      if (reason.isPresent()) {
        throw new UnusableSystemException(reason.get());
      }
    }
  }

  private int compare(CargoSource source, Link link, SystemOptions set)
      throws IOException, InterruptedException {
    List<Contender> contenders = options.contenders(set);
    GroupedPlan plan = plan(contenders, source, link);
    ResultFolder folder = ResultFolder.openKept(options.from.out, "throughput");
    tell("shipping " + source.describe());
    if (plan.groups().size() > 1) {
      tell("in %d groups, since not all fit into the memory".formatted(plan.groups().size()));
    }
    Measurement measured =
        RunProgress.show("throughput", plan, folder, spec.commandLine().getErr());
    List<Run> runs = measured.runs();
    List<Summary> summaries = Summary.of(options.names(), options.baseline(), measured);
    Ceilings ceilings =
        options.isCeilingWanted() ? ceilings(link, folder).withShares(summaries, runs) : null;
    List<StudyRow> study = options.study ? StudyRow.of(summaries, options.size.bytes()) : null;
    Result<Summary> result =
        Result.of(
                Environment.capture().withOthersBusyPercent(measured.othersBusyPercent()),
                RunConfig.of(
                    CommandText.of(spec),
                    plan,
                    options.size,
                    source,
                    options.baseline(),
                    contenders,
                    set),
                runs,
                summaries,
                summaries.stream().allMatch(system -> system.status() == Status.OK))
            .with("ceilings", ceilings)
            .with("study", study);
    print(summaries, ceilings, study);
    return new Ending(result, folder, options.from.json, spec)
        .end(Conclusion.of(summaries, options.baseline(), runs));
  }

  private GroupedPlan plan(List<Contender> contenders, CargoSource source, Link link) {
    String baseline = options.baseline();
    try {
      return GroupedPlan.of(
          contenders.stream().map(contender -> new Rung("", contender, baseline)).toList(),
          new CargoSpec(
              options.from.cargo, options.size.bytes(), source.heapBytes(), options.from.seed),
          TurnPlan.fixed(options.iterations, options.warmup),
          options.heapPlan(source),
          options.delivery(),
          link);
    } catch (IllegalArgumentException e) {
      throw new OptionChecks(spec)
          .usageError(
              "a cargo of %s: %s: ship less (--size, --cargo), with fewer workers (--workers), or only into the transactor's memory (--commit memory)"
                  .formatted(ByteSize.format(source.heapBytes()), e.getMessage()));
    }
  }

  private Ceilings ceilings(Link link, ResultFolder folder) throws InterruptedException {
    int steps = PathCeilings.steps(link, folder.logs());
    try (StepDisplay display =
        StepDisplay.onStandardError("ceilings", steps, spec.commandLine().getErr())) {
      return PathCeilings.measure(link, folder.logs(), display);
    }
  }

  private void print(
      List<Summary> summaries, @Nullable Ceilings ceilings, @Nullable List<StudyRow> study) {
    show(SummaryTables.systems(summaries, options.baseline()));
    SummaryTables.remarks(summaries).forEach(spec.commandLine().getOut()::println);
    if (summaries.stream().anyMatch(summary -> summary.commitOverSq() != null)) {
      show(SummaryTables.phases(summaries));
    }
    if (ceilings != null) {
      show(SummaryTables.ceilings(ceilings));
    }
    if (study != null) {
      show(SummaryTables.study(study));
    }
  }

  private void show(Table table) {
    table.toText().forEach(spec.commandLine().getOut()::println);
  }

  private void tell(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}
