package io.drayage.cli.data;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.columns.ColumnRow;
import io.drayage.bench.columns.ColumnsPage;
import io.drayage.bench.columns.ColumnsResult;
import io.drayage.bench.columns.ColumnsRun;
import io.drayage.bench.columns.ColumnsTable;
import io.drayage.bench.columns.InputFiles;
import io.drayage.bench.columns.OtherCodecs;
import io.drayage.bench.columns.PythonCodecs;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.SizeOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage columns}. */
@Command(
    name = "columns",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the size and the speed of columnar, LZ4 and Zstandard, column by column, beside"
          + " Parquet as DuckDB writes it, and pcodec and Vortex if their Python packages are"
          + " installed: pip install pcodec vortex-data.",
      "",
      "Columnar is measured in its three modes, with the encodings that it chooses. Speeds are raw"
          + " bytes a second on one core; those of Drayage's codecs include the encoder and"
          + " decoder of the segments pipeline. The picture shows ratio against speed, and the"
          + " codecs that no other codec exceeds in both.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage columns tpch:sf=0.01",
      "Examples, with tables of yours:",
      "  drayage columns folder --json columns.json --picture columns.html",
      "  drayage columns orders.parquet --column orders.price",
      "Examples, with a Python that has pyarrow and vortex:",
      "  drayage columns orders.parquet --python venv/bin/python"
    })
public final class ColumnsCommand implements Callable<Integer> {
  private static final String NONE = "none";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER|FILE",
      description =
          "A table in a file, as cargo import reads it: .parquet, .csv, .json, .arrow and others;"
              + " or a folder of such files; a folder of raw columns with a manifest.csv (name,type,rows) and NAME.bin or NAME.txt; a file that 'drayage cargo"
              + " write' or 'import' made; or a cargo that is generated: thesis, tpch[:sf=N], columns"
              + " (kinds of columns there are), random.")
  private String cargo = "";

  @Mixin private SizeOption size = new SizeOption();

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
          "The limit of measured bytes of a column, spread over it (default: ${DEFAULT-VALUE}).")
  private ByteSize sample = ByteSize.parse("64MB");

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "Measure only this column, TABLE.COLUMN as the table names it; may be repeated.")
  private Set<String> columns = new LinkedHashSet<>();

  @Mixin private JsonOption to = new JsonOption();

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Draw ratio against speed to FILE, a page (HTML).")
  private @Nullable Path picture;

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      defaultValue = PythonCodecs.COMMAND,
      description =
          "The Python whose packages pcodec and vortex are measured, or none"
              + " (default: ${DEFAULT-VALUE}).")
  private String python = PythonCodecs.COMMAND;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireIterations("--iterations", iterations, 1);
    to.validate(checks);
    checks.requireWritable("--picture", picture);
    checks.require(
        python.equals(NONE)
            || python.equals(PythonCodecs.COMMAND)
            || PythonCodecs.isProgram(python),
        "--python %s: there is no such program".formatted(python));
    try (ColumnsInput input =
        ColumnsInput.open(
            cargo, size.bytes(), seed, checks, spec.commandLine().getErr()::println)) {
      measure(input, checks);
    } catch (UncheckedIOException e) {
      throw e.getCause(); // A file that is read on demand may have been deleted.
    }
    return 0;
  }

  private void measure(ColumnsInput input, OptionChecks checks)
      throws IOException, InterruptedException {
    ColumnsRun run =
        checks.valid(
            () ->
                new ColumnsRun(
                    input.cargo(), iterations, sample.bytes(), columns, Set.of(TypesTable.NAME)));
    checks.require(run.steps() > 0, cargo + " has no column with a row");
    InputFiles files = columns.isEmpty() ? InputFiles.of(input.format(), input.files()) : null;
    List<String> skipped = new ArrayList<>();
    input.notRead().forEach(file -> skipped.add(file + ": manifest.csv does not name it"));
    Map<String, String> versions = new TreeMap<>();
    List<ColumnRow> rows;
    try (OtherCodecs others = new OtherCodecs(python.equals(NONE) ? null : python);
        StepDisplay display =
            StepDisplay.onStandardError("columns", run.steps(), spec.commandLine().getErr())) {
      rows = run.run(others.candidates(), display);
      skipped.addAll(run.skipped());
      skipped.addAll(others.missing());
      versions.putAll(others.versions());
    }
    PrintWriter out = spec.commandLine().getOut();
    ColumnsTable.toText(rows, files, skipped, sample.bytes(), iterations).forEach(out::println);
    if (to.json != null) {
      ColumnsResult.Config config =
          new ColumnsResult.Config(
              cargo,
              input.description(),
              CargoSources.sizeCounts(cargo) ? (Long) size.bytes() : null,
              seed,
              iterations,
              sample.bytes());
      ColumnsResult.of(config, rows, files, versions, skipped).writeTo(to.json);
    }
    if (picture != null) {
      ColumnsPage.of(rows, input.description()).writeTo(picture);
    }
  }
}
