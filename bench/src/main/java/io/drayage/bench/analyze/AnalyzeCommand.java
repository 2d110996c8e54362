package io.drayage.bench.analyze;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.cli.options.OptionChecks;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage cargo analyze}. */
@Command(
    name = "analyze",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which encodings columnar chooses for each column of a cargo, how small and how fast"
          + " that is, and how small and fast LZ4 and Zstandard are on the same segments.",
      "",
      "Columns on which columnar does worse than the others stand first: slower than lz4 in a"
          + " direction and not worth it on the link of the mode (time), a worse ratio than zstd:3,"
          + " or slower than lz4 in either direction. Speeds are raw bytes a second on one core,"
          + " through the encoder and decoder of the segments pipeline.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage cargo analyze --cargo thesis --size 100MB",
      "  drayage cargo analyze --cargo tpch:sf=0.1 --mode dense --json columns.json",
      "  drayage cargo analyze orders.cargo"
    })
public final class AnalyzeCommand implements Callable<Integer> {
  /** What a column is seen of before any is measured. */
  private static final long WARM_UP_BYTES = 4L << 20;

  @Mixin private AnalyzeOptions options = new AnalyzeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        options.file == null || options.cargo == null, "name a FILE or a --cargo, not both");
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireWritable("--json", options.json);
    CargoSource source = source(checks);
    PrintWriter err = spec.commandLine().getErr();
    err.println("analyzing " + source.describe());
    err.flush();
    ChangeCargo cargo = load(source, checks);
    List<ColumnRow> rows = measure(cargo, err);
    List<Total> totals = Total.of(rows);
    print(rows, totals);
    Path json = options.json;
    if (json != null) {
      AnalysisResult.Config config = config(source);
      new AnalysisResult(AnalysisResult.SCHEMA, Environment.capture(), config, rows, totals)
          .writeTo(json);
    }
    return 0;
  }

  private CargoSource source(OptionChecks checks) {
    try {
      return CargoSources.parse(options.named(), options.size.bytes(), options.seed);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private static ChangeCargo load(CargoSource source, OptionChecks checks) {
    try {
      return source.load();
    } catch (IllegalStateException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private List<ColumnRow> measure(ChangeCargo cargo, PrintWriter err)
      throws InterruptedException, ShipmentException {
    List<ColumnSample> samples = samples(cargo, options.sample.bytes());
    List<ColumnRow> rows = new ArrayList<>();
    try (ColumnMeasurement measurement =
            new ColumnMeasurement(
                Candidate.all(options.mode), options.iterations, options.mode.bytesPerSecond());
        StepDisplay display = StepDisplay.onStandardError("analyze", samples.size(), err)) {
      // All kinds of columns come first, or the first one would be measured with code made for it.
      for (ColumnSample sample : samples(cargo, Math.min(WARM_UP_BYTES, options.sample.bytes()))) {
        measurement.warmUp(sample);
      }
      for (ColumnSample sample : samples) {
        rows.add(measurement.measure(sample));
        display.step(rows.size(), samples.size(), AnalysisTable.name(sample));
      }
    }
    return rows.stream().sorted(ColumnRow.LOSERS_FIRST).toList();
  }

  private static List<ColumnSample> samples(ChangeCargo cargo, long maxBytes) {
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    Map<Integer, List<Segment>> segments =
        manifest.segments().stream().collect(Collectors.groupingBy(s -> s.part().index()));
    List<ColumnSample> samples = new ArrayList<>();
    for (Part part : manifest.parts()) {
      List<Segment> all = segments.getOrDefault(part.index(), List.of());
      if (!all.isEmpty()) {
        samples.add(ColumnSample.of(part, contents.get(part.index()), all, maxBytes));
      }
    }
    return samples;
  }

  private void print(List<ColumnRow> rows, List<Total> totals) {
    PrintWriter out = spec.commandLine().getOut();
    AnalysisTable.columns(rows).forEach(out::println);
    out.println();
    AnalysisTable.totals(totals).forEach(out::println);
    out.println();
    AnalysisTable.notes(rows, options.sample.bytes(), options.iterations).forEach(out::println);
    out.println(AnalysisTable.times(rows, options.mode.bytesPerSecond()));
    out.println(AnalysisTable.verdict(totals));
    out.flush();
  }

  private AnalysisResult.Config config(CargoSource source) {
    String named = options.named();
    @Nullable Long sizeBytes = CargoSources.sizeCounts(named) ? (Long) options.size.bytes() : null;
    return new AnalysisResult.Config(
        named,
        source.describe(),
        sizeBytes,
        options.seed,
        options.mode.name().toLowerCase(Locale.ROOT),
        options.iterations,
        options.sample.bytes(),
        Candidate.all(options.mode).stream().map(Candidate::name).toList());
  }
}
