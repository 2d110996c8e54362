package io.drayage.bench.tune;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.CargoSpec;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.UnusableSystemException;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage tune}: finds the settings that are the fastest here. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the fastest way to ship a cargo over netty on this machine and link: for each codec the"
          + " codec threads of both sides, the size of a segment and the number of connections.",
      "",
      "All settings get a few runs, the better half some more, and so on (successive halving). Of"
          + " settings that cannot be told apart it recommends the one that takes the least. The"
          + " recommendation goes to a file that throughput, worker and transactor read (--config).",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage tune",
      "  drayage tune --link 1gbit --size 200MB --serializer columnar --compressor none,zstd:1",
      "  drayage throughput --link 1gbit --size 1GB --config drayage.conf"
    })
public final class TuneCommand implements Callable<Integer> {
  private static final int WARMUPS = 6;
  private static final double NANOS_PER_S = 1e9;

  @Spec private CommandSpec spec;
  @Mixin private TuneOptions options;

  /** What the command works on. */
  private record Work(CargoSource source, List<Codec> codecs, Grid grid, Link link) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    CargoSource source = validate();
    List<Codec> codecs = codecs();
    requireUsable(codecs);
    Grid grid = options.grid();
    try (Link link = options.link.open(1, null)) {
      return tune(new Work(source, codecs, grid, link));
    }
  }

  private CargoSource validate() {
    OptionChecks checks = new OptionChecks(spec);
    options.validate(checks);
    checks.requireWritable("--json", options.from.json);
    checks.requireWritable("--write", options.write);
    Path folder = options.write.toAbsolutePath().getParent();
    checks.require(
        !Files.isRegularFile(options.write) || (folder != null && Files.isWritable(folder)),
        "--write %s: what is there cannot be kept, since its folder cannot be written to: name another file"
            .formatted(options.write));
    checks.requireFolder("--out", options.from.out);
    try {
      codecs().forEach(codec -> codec.system(1));
      return CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Before minutes are spent. */
  private static void requireUsable(List<Codec> codecs) throws UnusableSystemException {
    for (Codec codec : codecs) {
      String reason = Systems.whyUnusable(Contender.of(codec.system(1), SystemOptions.DEFAULT));
      if (reason != null) {
        throw new UnusableSystemException(
            "%s: %s: leave it out (--serializer, --compressor)".formatted(codec, reason));
      }
    }
  }

  private List<Codec> codecs() {
    Set<Codec> codecs = new LinkedHashSet<>();
    for (String serializer :
        options.serializers.isEmpty() ? TuneOptions.SERIALIZERS : options.serializers) {
      for (String compressor :
          options.compressors.isEmpty() ? TuneOptions.COMPRESSORS : options.compressors) {
        codecs.add(new Codec(serializer, compressor));
      }
    }
    return List.copyOf(codecs);
  }

  private int tune(Work work) throws IOException, InterruptedException {
    HeapPlan heap = HeapPlan.of(work.source().heapBytes(), work.source().loadingHeapBytes());
    requireMemory(work, heap);
    ResultFolder folder = ResultFolder.openForResult(options.from.out);
    long beganNs = System.nanoTime();
    Search search =
        new Search(work.grid(), work.codecs(), options.sweep ? Search.SWEEP : Search.HALVING);
    measure(search, work, plan(work, heap, folder.logs()));
    double tookS = (System.nanoTime() - beganNs) / NANOS_PER_S;
    Optional<Trial> choice = recommended(search);
    TuneResult result =
        new TuneResult(
            TuneResult.SCHEMA,
            Environment.capture(),
            config(work, heap, tookS),
            choice.map(trial -> recommendation(search, trial, work)).orElse(null),
            rows(search));
    print(search);
    folder.keep(result);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    recommend(choice, result, work, tookS);
    return choice.isPresent() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private void requireMemory(Work work, HeapPlan heap) {
    SystemUnderTest any = work.codecs().get(0).system(1);
    long neededBytes = heap.pairBytes(any);
    long availableBytes = HeapPlan.availableBytes();
    new OptionChecks(spec)
        .require(
            neededBytes <= availableBytes,
            "a cargo of %s needs about %s of memory, %s are available: ship less (--size, --cargo)"
                .formatted(
                    ByteSize.format(work.source().heapBytes()),
                    ByteSize.format(neededBytes),
                    ByteSize.format(availableBytes)));
  }

  private RigPlan plan(Work work, HeapPlan heap, Path logs) {
    return new RigPlan(
        List.of(),
        new CargoSpec(
            options.from.cargo, options.size.bytes(), work.source().heapBytes(), options.from.seed),
        1,
        0,
        heap,
        logs,
        Delivery.INTO_MEMORY,
        work.link());
  }

  private void measure(Search search, Work work, RigPlan plan)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "shipping %s over %s, %d codecs, %d settings each"
            .formatted(
                work.source().describe(),
                work.link().text(),
                work.codecs().size(),
                search.trials().get(0).size()));
    err.flush();
    int steps = search.maxRuns();
    try (TrialPair pair = new TrialPair(plan);
        StepDisplay display = StepDisplay.onStandardError("tune", steps, err)) {
      // What the compiler has to learn of each codec is no setting's business.
      for (int codec = 0; codec < work.codecs().size(); codec++) {
        display.step(0, steps, "warm-up of " + work.codecs().get(codec));
        pair.run(search.untuned(codec).setting().toContender(), WARMUPS);
      }
      int[] done = {0};
      search.run(
          (trial, times, what) -> {
            List<Run> runs = pair.run(trial.setting().toContender(), 1 + times);
            // The first is over new connections and buffers, unless it is the one that failed.
            trial.add(runs.size() > times ? runs.subList(1, runs.size()) : runs);
            done[0] += times;
            display.step(done[0], steps, "%s, %s%s".formatted(what, trial.setting(), last(trial)));
          });
    }
  }

  private static String last(Trial trial) {
    List<Double> seconds = trial.seconds();
    return trial.error() != null
        ? ": FAILED, " + trial.error()
        : String.format(Locale.ROOT, ": S+Q %.3f s", seconds.get(seconds.size() - 1));
  }

  /** Of the codecs' choices that cannot be told from the fastest, the one that takes least time. */
  private static Optional<Trial> recommended(Search search) {
    List<Trial> choices =
        search.trials().stream().map(Search::choice).flatMap(Optional::stream).toList();
    return Search.choice(choices, Comparator.comparingDouble(TuneCommand::cpuS));
  }

  private static double cpuS(Trial trial) {
    return trial.runs().stream()
        .mapToDouble(run -> Objects.requireNonNull(run.cpuS()))
        .sorted()
        .skip((trial.runs().size() - 1) / 2)
        .findFirst()
        .orElse(0);
  }

  private static TuneResult.Recommendation recommendation(Search search, Trial trial, Work work) {
    int codec = work.codecs().indexOf(trial.setting().codec());
    Optional<Trial> next =
        search.trials().stream()
            .map(Search::choice)
            .flatMap(Optional::stream)
            .filter(other -> !other.equals(trial))
            .min(Comparator.comparingDouble(Trial::median));
    return new TuneResult.Recommendation(
        trial.setting().toConfig().toMap(),
        trial.median(),
        search.untuned(codec).isOk() ? search.untuned(codec).median() / trial.median() : 1,
        next.map(other -> other.median() / trial.median()).orElse(null),
        next.map(other -> !other.spread().overlaps(trial.spread())).orElse(true),
        Binding.of(
            trial.setting().toString(),
            trial.runs(),
            work.link().bytesPerSecondOfWorker(),
            work.link().text(),
            Runtime.getRuntime().availableProcessors()));
  }

  private static List<TuneResult.Row> rows(Search search) {
    List<TuneResult.Row> rows = new ArrayList<>();
    for (List<Trial> trials : search.trials()) {
      Trial choice = Search.choice(trials).orElse(null);
      trials.forEach(trial -> rows.add(row(trial, trial.equals(choice))));
    }
    return List.copyOf(rows);
  }

  private static TuneResult.Row row(Trial trial, boolean chosen) {
    Setting setting = trial.setting();
    Interval spread = trial.isOk() ? trial.spread() : null;
    return new TuneResult.Row(
        setting.codec().serializer(),
        setting.codec().compressor(),
        setting.workerThreads(),
        setting.transactorThreads(),
        setting.segmentBytes(),
        setting.connections(),
        trial.seconds(),
        spread == null ? null : (Double) spread.estimate(),
        spread == null ? null : (Double) spread.low(),
        spread == null ? null : (Double) spread.high(),
        spread == null
            ? null
            : (Double)
                (Objects.requireNonNull(trial.runs().get(0).rawBytes()) / spread.estimate() / 1e6),
        trial.rounds(),
        chosen,
        trial.error());
  }

  private TuneResult.Config config(Work work, HeapPlan heap, double tookS) {
    boolean sizeCounts = CargoSources.sizeCounts(options.from.cargo);
    return new TuneResult.Config(
        sizeCounts ? options.size.text() : null,
        sizeCounts ? (Long) options.size.bytes() : null,
        options.from.cargo,
        work.source().describe(),
        options.from.seed,
        work.codecs().stream().map(Codec::toString).toList(),
        work.grid(),
        options.sweep,
        work.link().text(),
        work.link().facts(),
        Runtime.getRuntime().availableProcessors(),
        tookS,
        heap.workerOptions(),
        heap.transactorOptions());
  }

  private void print(Search search) {
    PrintWriter out = spec.commandLine().getOut();
    for (int codec = 0; codec < search.trials().size(); codec++) {
      TuneTable.of(search.trials().get(codec), search.untuned(codec)).forEach(out::println);
      out.println();
    }
    out.println(
        "threads: worker/transactor; *: the choice for the codec; untuned: @cores, 1MiB, 1");
    out.flush();
  }

  /** Says what it recommends, and where that is written: when it is. */
  private void recommend(Optional<Trial> choice, TuneResult result, Work work, double tookS)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    TuneResult.Recommendation advice = result.recommendation();
    if (choice.isEmpty() || advice == null) {
      out.println("no setting went well");
      out.flush();
      return;
    }
    out.println("why: " + advice.why());
    String where = "not written";
    try {
      where = write(choice.get(), advice, work);
    } finally {
      out.println(
          "recommended: %s, S+Q %.3f s, %s%s; took %.0f s, %s"
              .formatted(
                  choice.get().setting(),
                  advice.medianS(),
                  margin(advice.overUntuned(), "its untuned setting"),
                  next(advice),
                  tookS,
                  where));
      out.flush();
    }
  }

  private static String next(TuneResult.Recommendation advice) {
    if (advice.overNext() == null) {
      return "";
    }
    return ", "
        + margin(advice.overNext(), "the next codec")
        + (advice.toldApart() ? "" : " (cannot be told apart)");
  }

  private static String margin(double times, String other) {
    return String.format(Locale.ROOT, "%.2fx as fast as %s", times, other);
  }

  private String write(Trial choice, TuneResult.Recommendation advice, Work work)
      throws IOException {
    List<String> comments =
        List.of(
            "Written by drayage tune: %s, over %s, %d cores."
                .formatted(
                    work.source().describe(),
                    work.link().text(),
                    Runtime.getRuntime().availableProcessors()),
            String.format(
                Locale.ROOT,
                "S+Q %.3f s, %s%s.",
                advice.medianS(),
                margin(advice.overUntuned(), "its untuned setting"),
                next(advice)),
            "Why: " + advice.why() + ".",
            "Read by drayage throughput, worker and transactor with --config; their own options win.");
    Optional<Path> kept = choice.setting().toConfig().write(options.write, comments);
    return "written to "
        + options.write
        + kept.map(" (the file that was there is %s now)"::formatted).orElse("");
  }
}
