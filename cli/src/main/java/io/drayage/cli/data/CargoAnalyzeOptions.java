package io.drayage.cli.data;

import io.drayage.bench.ByteSize;
import io.drayage.columnar.ColumnarMode;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code drayage cargo analyze}. */
final class CargoAnalyzeOptions {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "A file that 'drayage cargo write' made.")
  @Nullable Path file;

  @Option(
      names = "--cargo",
      paramLabel = "CARGO",
      description =
          "Instead of a file: thesis, tpch[:sf=N], columns (kinds of columns"
              + " there are), random or a file (default: thesis).")
  @Nullable String cargo;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of the cargo: 100MB, 1GB, 64MiB (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the cargo's values (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "balanced",
      converter = ModeConverter.class,
      description =
          "What columnar chooses for: fast, balanced or dense (default: ${DEFAULT-VALUE}). The"
              + " total of columnar+zstd:1 is always dense.")
  ColumnarMode mode = ColumnarMode.BALANCED;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured turns of every codec (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--sample",
      paramLabel = "SIZE",
      defaultValue = "64MB",
      description =
          "The most that is measured of a column, spread over it; of texts a quarter of that"
              + " (default: ${DEFAULT-VALUE}).")
  ByteSize sample = ByteSize.parse("64MB");

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result to FILE as JSON.")
  @Nullable Path json;

  /** The cargo, by its name. */
  String named() {
    if (file != null) {
      return file.toString();
    }
    return cargo == null ? "thesis" : cargo;
  }

  /** Modes as users write them. */
  static final class ModeConverter implements ITypeConverter<ColumnarMode> {
    @Override
    public ColumnarMode convert(String text) {
      for (ColumnarMode mode : ColumnarMode.values()) {
        if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
          return mode;
        }
      }
      throw new TypeConversionException(
          "mode '%s' is unknown: name fast, balanced or dense".formatted(text));
    }
  }
}
