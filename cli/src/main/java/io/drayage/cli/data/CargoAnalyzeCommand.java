package io.drayage.cli.data;

import io.drayage.bench.ByteSize;
import io.drayage.bench.analyze.AnalysisResult;
import io.drayage.bench.analyze.CargoAnalysis;
import io.drayage.bench.analyze.ColumnRow;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.JsonFile;
import io.drayage.cli.options.OptionChecks;
import io.drayage.columnar.ColumnarMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
      "  drayage cargo analyze orders.cargo",
      "  drayage cargo analyze columns/ --mode dense"
    })
final class CargoAnalyzeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "A file that 'drayage cargo write' made, or a folder of columns with a manifest.csv"
              + " (name,type,rows) and NAME.bin or NAME.txt.")
  private @Nullable Path file;

  @Option(
      names = "--cargo",
      paramLabel = "CARGO",
      description =
          "Instead of a file: thesis, tpch[:sf=N], columns (kinds of columns"
              + " there are), random or a file (default: thesis).")
  private @Nullable String cargo;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of the cargo: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the cargo's values (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "balanced",
      description =
          "What columnar chooses for: fast, balanced or dense (default: ${DEFAULT-VALUE}). The"
              + " total of columnar+zstd:1 is always dense.")
  private ColumnarMode mode = ColumnarMode.BALANCED;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured turns of every codec (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--sample",
      paramLabel = "SIZE",
      defaultValue = "64MB",
      description =
          "The most that is measured of a column, spread over it; of texts a quarter of that"
              + " (default: ${DEFAULT-VALUE}).")
  private ByteSize sample = ByteSize.parse("64MB");

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result to FILE as JSON.")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(file == null || cargo == null, "name a FILE or a --cargo, not both");
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireWritable("--json", json);
    String named = file != null ? file.toString() : Objects.requireNonNullElse(cargo, "thesis");
    CargoSource source = checks.valid(() -> CargoSources.parse(named, size.bytes(), seed));
    PrintWriter err = spec.commandLine().getErr();
    err.println("analyzing " + source.describe());
    err.flush();
    CargoAnalysis analysis =
        new CargoAnalysis(checks.valid(source::load), mode, iterations, sample.bytes());
    List<ColumnRow> rows;
    try (StepDisplay display = StepDisplay.onStandardError("analyze", analysis.steps(), err)) {
      rows = analysis.run(display);
    }
    PrintWriter out = spec.commandLine().getOut();
    analysis.toText(rows).forEach(out::println);
    out.flush();
    if (json != null) {
      AnalysisResult.Config config =
          new AnalysisResult.Config(
              named,
              source.describe(),
              CargoSources.sizeCounts(named) ? (Long) size.bytes() : null,
              seed,
              mode.name().toLowerCase(Locale.ROOT),
              iterations,
              sample.bytes(),
              CargoAnalysis.CODECS);
      JsonFile.write(json, AnalysisResult.of(config, rows));
    }
    return 0;
  }
}
