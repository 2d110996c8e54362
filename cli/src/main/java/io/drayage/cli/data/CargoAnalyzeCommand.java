package io.drayage.cli.data;

import io.drayage.bench.analyze.AnalysisResult;
import io.drayage.bench.analyze.CargoAnalysis;
import io.drayage.bench.analyze.ColumnRow;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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
final class CargoAnalyzeCommand implements Callable<Integer> {
  @Mixin private CargoAnalyzeOptions options = new CargoAnalyzeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        options.file == null || options.cargo == null, "name a FILE or a --cargo, not both");
    checks.requireIterations("--iterations", options.iterations, 1);
    checks.requireWritable("--json", options.json);
    CargoSource source;
    CargoAnalysis analysis;
    PrintWriter err = spec.commandLine().getErr();
    try {
      source = CargoSources.parse(options.named(), options.size.bytes(), options.seed);
      err.println("analyzing " + source.describe());
      err.flush();
      analysis =
          new CargoAnalysis(
              source.load(), options.mode, options.iterations, options.sample.bytes());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
    List<ColumnRow> rows;
    try (StepDisplay display = StepDisplay.onStandardError("analyze", analysis.steps(), err)) {
      rows = analysis.run(display);
    }
    PrintWriter out = spec.commandLine().getOut();
    analysis.toText(rows).forEach(out::println);
    out.flush();
    if (options.json != null) {
      AnalysisResult.of(config(source, analysis), rows).writeTo(options.json);
    }
    return 0;
  }

  private AnalysisResult.Config config(CargoSource source, CargoAnalysis analysis) {
    return new AnalysisResult.Config(
        options.named(),
        source.describe(),
        CargoSources.sizeCounts(options.named()) ? (Long) options.size.bytes() : null,
        options.seed,
        options.mode.name().toLowerCase(Locale.ROOT),
        options.iterations,
        options.sample.bytes(),
        analysis.codecs());
  }
}
