package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.report.SummaryTables;
import io.drayage.bench.result.Conclusion;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.GroupedPlan;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RunConfig;
import io.drayage.bench.rig.TurnPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage ladder}: the same cargo, one change per rung. */
@Command(
    name = "ladder",
    mixinStandardHelpOptions = true,
    description = {
      "Ships the same cargo by one system after the other, from the published one to the fastest,"
          + " with one change per rung, and shows what each change brings by itself.",
      "",
      "A rung takes turns with the one that it is compared with and with the baseline. As many"
          + " rungs as memory allows run in one group; the processes of a group are alive at the"
          + " same time. A rung that this machine cannot run is skipped, with the reason.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage ladder --size 100MB",
      "  drayage ladder --size 1GB --iterations 9 --warmup 3 --json ladder.json"
    })
public final class LadderCommand implements Callable<Integer> {
  private static final String LIST = "ladder";

  @Spec private CommandSpec spec;

  @Mixin private CargoOptions from;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("1GB");

  @Mixin private LinkOptions linkOptions;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of each rung (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Iterations of each rung before them (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source = validate();
    try (Link link = linkOptions.open(1, null)) {
      return climb(SystemList.of(LIST), source, link);
    }
  }

  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireIterations("--warmup", warmup, 0);
    linkOptions.validate(checks);
    checks.requireWritable("--json", from.json);
    checks.requireFolder("--out", from.out);
    try {
      return CargoSources.parse(from.cargo, size.bytes(), from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private int climb(SystemList ladder, CargoSource source, Link link)
      throws IOException, InterruptedException {
    Map<String, String> skipped = skipped(ladder.rungs());
    GroupedPlan plan = plan(ladder, skipped, source, link);
    ResultFolder folder = ResultFolder.openKept(from.out, LIST);
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "shipping %s, in %d groups of rungs".formatted(source.describe(), plan.groups().size()));
    err.flush();
    Measurement measured = RunProgress.show(LIST, plan, folder, err);
    List<Run> runs = measured.runs();
    List<Summary> summaries = Summary.ofRungs(ladder.rungs(), skipped, measured);
    SummaryTables.rungs(summaries).toText().forEach(spec.commandLine().getOut()::println);
    Result<Summary> result =
        Result.of(
            Environment.capture().withOthersBusyPercent(measured.othersBusyPercent()),
            RunConfig.of(
                CommandText.of(spec), plan, size, source, ladder.baseline(), List.of(), null),
            runs,
            summaries,
            summaries.stream().allMatch(rung -> rung.status() != Status.FAILED));
    return new Ending(result, folder, from.json, spec)
        .end(Conclusion.of(summaries, ladder.baseline(), runs));
  }

  /** The rungs that this machine cannot run, and why. */
  private static Map<String, String> skipped(List<Rung> rungs) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (Rung rung : rungs) {
      String reason = Systems.whyUnusable(rung.contender());
      if (reason != null) {
        reasons.put(rung.name(), reason);
      }
    }
    return reasons;
  }

  private GroupedPlan plan(
      SystemList ladder, Map<String, String> skipped, CargoSource source, Link link) {
    try {
      return GroupedPlan.of(
          ladder.rungs().stream().filter(rung -> !skipped.containsKey(rung.name())).toList(),
          new CargoSpec(from.cargo, size.bytes(), source.heapBytes(), from.seed),
          TurnPlan.fixed(iterations, warmup),
          HeapPlan.of(source.heapBytes(), source.loadingHeapBytes()),
          Delivery.INTO_MEMORY,
          link);
    } catch (IllegalArgumentException e) {
      throw new OptionChecks(spec)
          .usageError("%s: ship less (--size, --cargo)".formatted(e.getMessage()));
    }
  }
}
