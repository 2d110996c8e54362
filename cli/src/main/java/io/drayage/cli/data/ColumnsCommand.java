package io.drayage.cli.data;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.columns.ColumnRow;
import io.drayage.bench.columns.ColumnsResult;
import io.drayage.bench.columns.ColumnsRun;
import io.drayage.bench.columns.ScatterPicture;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.JsonFile;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage columns}. */
@Command(
    name = "columns",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how small and how fast columnar, LZ4 and Zstandard are, column by column. Columnar"
          + " is measured in its three modes, with the encodings that it chooses.",
      "",
      "Speeds are raw bytes a second on one core, through the encoder and decoder of the segments"
          + " pipeline. The picture shows ratio against speed, and which codecs no other beats in"
          + " both.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage columns folder/ --json columns.json --picture columns.svg",
      "  drayage columns orders.cargo --column orders.price",
      "  drayage columns tpch:sf=0.1"
    })
public final class ColumnsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER|FILE",
      description =
          "A folder of columns with a manifest.csv (name,type,rows) and NAME.bin or NAME.txt, or a"
              + " file that 'drayage cargo write' made; or a cargo that is generated: thesis,"
              + " tpch[:sf=N], columns (kinds of columns there are), random.")
  private String cargo = "";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of a generated cargo: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the cargo's values (default: ${DEFAULT-VALUE}).")
  private long seed;

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

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "Measure this column alone, TABLE.COLUMN as the table names it; may be repeated.")
  private Set<String> columns = new LinkedHashSet<>();

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result to FILE as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Draw ratio against speed to FILE as SVG.")
  private @Nullable Path picture;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireWritable("--json", json);
    checks.requireWritable("--picture", picture);
    CargoSource source = checks.valid(() -> CargoSources.parse(cargo, size.bytes(), seed));
    PrintWriter err = spec.commandLine().getErr();
    err.println("measuring " + source.describe());
    err.flush();
    ChangeCargo loaded = checks.valid(source::load);
    ColumnsRun run =
        checks.valid(() -> new ColumnsRun(loaded, iterations, sample.bytes(), columns));
    checks.require(run.steps() > 0, cargo + " has no columns");
    List<ColumnRow> rows;
    try (StepDisplay display = StepDisplay.onStandardError("columns", run.steps(), err)) {
      rows = run.run(display);
    }
    PrintWriter out = spec.commandLine().getOut();
    run.toText(rows).forEach(out::println);
    out.flush();
    if (json != null) {
      ColumnsResult.Config config =
          new ColumnsResult.Config(
              cargo,
              source.describe(),
              CargoSources.sizeCounts(cargo) ? (Long) size.bytes() : null,
              seed,
              iterations,
              sample.bytes());
      JsonFile.write(json, ColumnsResult.of(config, rows));
    }
    if (picture != null) {
      Files.writeString(picture, ScatterPicture.of(rows));
    }
    return 0;
  }
}
