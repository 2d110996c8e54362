package io.drayage.bench.columns;

import com.fasterxml.jackson.databind.node.NullNode;
import io.drayage.bench.result.Result;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The measurements of columns, as written to JSON. */
public final class ColumnsResult {
  private ColumnsResult() {}

  /**
   * The options of the measurement.
   *
   * @param cargo as the user wrote it
   * @param sizeBytes the size that the user asked for; null if the cargo has a size of its own
   * @param sampleBytes the approximate limit of measured bytes of a column
   */
  public record Config(
      String cargo,
      String cargoDescription,
      @Nullable Long sizeBytes,
      long seed,
      int iterations,
      long sampleBytes) {}

  /**
   * Makes the result of this machine.
   *
   * @param files the input beside the rows; null if it is generated or only some columns were
   *     measured
   * @param versions of the measured codecs that are not of this library, by name
   * @param skipped omitted measurements with the reason, a sentence each
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
