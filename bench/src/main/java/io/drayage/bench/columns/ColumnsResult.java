package io.drayage.bench.columns;

import io.drayage.bench.environment.Environment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of columns, as written to JSON.
 *
 * @param schema the version of this form, 2
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param summary one row for each column and codec
 * @param totals over several columns
 */
public record ColumnsResult(
    int schema,
    Environment environment,
    Config config,
    List<ColumnRow> summary,
    List<Total> totals) {
  /**
   * What was asked for.
   *
   * @param cargo as the user wrote it
   * @param sizeBytes the size that was asked for; null if the cargo sets its own size
   * @param sampleBytes the most that was measured of a column, about
   */
  public record Config(
      String cargo,
      String cargoDescription,
      @Nullable Long sizeBytes,
      long seed,
      int iterations,
      long sampleBytes) {}

  /** The result of this machine. */
  public static ColumnsResult of(Config config, List<ColumnRow> rows) {
    return new ColumnsResult(2, Environment.capture(), config, rows, Total.of(rows));
  }
}
