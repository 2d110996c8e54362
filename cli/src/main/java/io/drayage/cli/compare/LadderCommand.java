package io.drayage.cli.compare;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.ladder.Rung;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.AvailableMemory;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage ladder}: the same cargo, one change per rung. */
@Command(
    name = "ladder",
    mixinStandardHelpOptions = true,
    description = {
      "Ships the same cargo by one system after the other, from the published one to the fastest,"
          + " with one change per rung, and says what each change brings by itself.",
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
  @Spec private CommandSpec spec;
  @Mixin private LadderOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source = validate();
    try (Link link = options.link.open(1, null)) {
      return climb(source, link);
    }
  }

  private int climb(CargoSource source, Link link) throws IOException, InterruptedException {
    HeapPlan heap = HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    List<Rung> rungs = Rungs.all();
    Map<String, String> skipped = skipped(rungs);
    List<RungGroup> groups = groups(rungs, skipped, heap);
    ResultFolder folder = ResultFolder.openKept(options.from.out, "ladder");
    LadderResult result = measure(rungs, skipped, groups, heap, source, link, folder);
    print(result, folder);
    FinishedRun.keep(result, folder, spec.commandLine().getErr());
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    return result.allOk() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireIterations("--warmup", options.warmup, 0);
    options.link.validate(checks);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    try {
      return CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** What this machine cannot run, and why. */
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

  private List<RungGroup> groups(List<Rung> rungs, Map<String, String> skipped, HeapPlan heap) {
    List<Rung> usable = rungs.stream().filter(rung -> !skipped.containsKey(rung.name())).toList();
    try {
      return RungGroup.of(
          usable, rung -> heap.pairBytes(rung.contender().system()), AvailableMemory.bytes());
    } catch (IllegalArgumentException e) {
      throw new OptionChecks(spec)
          .usageError("%s: ship less (--size, --cargo)".formatted(e.getMessage()));
    }
  }

  private LadderResult measure(
      List<Rung> rungs,
      Map<String, String> skipped,
      List<RungGroup> groups,
      HeapPlan heap,
      CargoSource source,
      Link link,
      ResultFolder folder)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("shipping %s, in %d groups of rungs".formatted(source.describe(), groups.size()));
    err.flush();
    int steps = 0;
    for (RungGroup group : groups) {
      steps += plan(group, heap, source, link, folder.logs()).steps();
    }
    LadderRun run;
    try (StepDisplay display = StepDisplay.onStandardError("ladder", steps, err)) {
      run =
          new LadderRun(
              groups,
              (group, number) -> plan(group, heap, source, link, folder.logsOfGroup(number)),
              new RunProgress(display, steps));
      run.run();
    }
    return new LadderResult(
        LadderResult.SCHEMA,
        Environment.capture(),
        config(groups, heap, source, link),
        run.runs(),
        run.summaries(rungs, skipped));
  }

  private RigPlan plan(RungGroup group, HeapPlan heap, CargoSource source, Link link, Path logs) {
    return new RigPlan(
        group.members().stream().map(Rung::contender).toList(),
        options.from.cargo,
        options.size.bytes(),
        source.heapBytes(),
        options.from.seed,
        options.iterations,
        options.warmup,
        heap,
        logs,
        link);
  }

  private LadderResult.Config config(
      List<RungGroup> groups, HeapPlan heap, CargoSource source, Link link) {
    return new LadderResult.Config(
        CommandText.of(spec),
        CargoSources.sizeCounts(options.from.cargo) ? options.size.text() : null,
        CargoSources.sizeCounts(options.from.cargo) ? options.size.bytes() : null,
        options.from.cargo,
        source.describe(),
        options.from.seed,
        Rungs.BASELINE,
        groups.stream().map(group -> group.members().stream().map(Rung::name).toList()).toList(),
        options.iterations,
        options.warmup,
        link.text(),
        link.facts(),
        heap.workerOptions(),
        heap.transactorOptions());
  }

  private void print(LadderResult result, ResultFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    LadderTable.of(result.summary()).forEach(out::println);
    for (Run run : result.runs()) {
      if (run.status() == Status.FAILED) {
        String which = run.iteration() == 0 ? "a warm-up" : "iteration " + run.iteration();
        out.println("FAILED %s, %s: %s".formatted(run.system(), which, run.error()));
      }
    }
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    out.println(LadderVerdict.of(result.summary(), result.runs()));
    out.flush();
  }
}
