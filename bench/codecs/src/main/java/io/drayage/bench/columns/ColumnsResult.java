package io.drayage.bench.columns;

import com.fasterxml.jackson.databind.node.NullNode;
import io.drayage.bench.result.Result;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was measured of columns, as written to JSON. */
public final class ColumnsResult {
  private ColumnsResult() {}

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

  /**
   * The result of this machine.
   *
   * @param files the input beside the rows; null if it is generated or only some columns were
   *     measured
   * @param versions of what is measured beside the codecs of this library, by name
   * @param skipped what was not measured and why, a sentence each
   */
  public static Result<ColumnRow> of(
      Config config,
      List<ColumnRow> rows,
      @Nullable InputFiles files,
      Map<String, String> versions,
      List<String> skipped) {
    return Result.of(config, rows, true)
        .with("totals", Total.of(rows))
        .with("files", files == null ? NullNode.getInstance() : files)
        .with("versions", versions)
        .with("skipped", skipped);
  }
}
