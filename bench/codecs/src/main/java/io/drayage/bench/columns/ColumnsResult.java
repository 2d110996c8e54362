package io.drayage.bench.columns;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.result.Result;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of columns, as written to JSON.
 *
 * @param schema the version of this form, {@link Result#SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param summary one row for each column and codec
 * @param totals over several columns
 * @param files the input beside them; null if it is generated or only some columns were measured
 * @param versions of what is measured beside the codecs of this library, by name
 * @param skipped what was not measured and why, a sentence each
 */
public record ColumnsResult(
    int schema,
    Environment environment,
    Config config,
    List<ColumnRow> summary,
    List<Total> totals,
    @Nullable InputFiles files,
    Map<String, String> versions,
    List<String> skipped) {
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
  public static ColumnsResult of(
      Config config,
      List<ColumnRow> rows,
      @Nullable InputFiles files,
      Map<String, String> versions,
      List<String> skipped) {
    return new ColumnsResult(
        Result.SCHEMA,
        Environment.capture(),
        config,
        rows,
        Total.of(rows),
        files,
        versions,
        skipped);
  }
}
