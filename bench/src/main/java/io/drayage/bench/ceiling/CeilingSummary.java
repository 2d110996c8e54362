package io.drayage.bench.ceiling;

import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All iterations of one row. Jackson writes it as it is; what was not measured is null.
 *
 * @param row the row's name
 * @param what what is done
 * @param status {@link Status#FAILED} if one iteration failed
 * @param bytes bytes of one iteration
 * @param medianS median of their time in seconds
 * @param gbps bytes per second of the median, in GB/s (10^9)
 * @param minGbps the slowest iteration
 * @param maxGbps the fastest iteration
 * @param iterations how many went well
 * @param error why one failed
 */
record CeilingSummary(
    String row,
    String what,
    Status status,
    @Nullable Long bytes,
    @Nullable Double medianS,
    @Nullable Double gbps,
    @Nullable Double minGbps,
    @Nullable Double maxGbps,
    int iterations,
    @Nullable String error) {

  /** One for each row, in their order. */
  static List<CeilingSummary> of(List<CeilingRow> rows, List<CeilingSample> samples) {
    return rows.stream().map(row -> of(row, samples)).toList();
  }

  private static CeilingSummary of(CeilingRow row, List<CeilingSample> samples) {
    List<CeilingSample> all =
        samples.stream().filter(sample -> sample.row().equals(row.name())).toList();
    String error =
        all.stream()
            .map(CeilingSample::error)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(all.isEmpty() ? "not measured" : null);
    List<Double> seconds =
        all.stream().map(CeilingSample::seconds).filter(Objects::nonNull).sorted().toList();
    Long bytes =
        all.stream().map(CeilingSample::bytes).filter(Objects::nonNull).findFirst().orElse(null);
    Double median = Medians.of(seconds);
    if (bytes == null || median == null) {
      return new CeilingSummary(
          row.name(), row.what(), Status.FAILED, null, null, null, null, null, 0, error);
    }
    return new CeilingSummary(
        row.name(),
        row.what(),
        error == null ? Status.OK : Status.FAILED,
        bytes,
        median,
        bytes / median / 1e9,
        bytes / seconds.get(seconds.size() - 1) / 1e9,
        bytes / seconds.get(0) / 1e9,
        seconds.size(),
        error);
  }
}
