package io.drayage.bench.ceiling;

import io.drayage.bench.result.Status;
import org.jspecify.annotations.Nullable;

/**
 * One measured iteration of one row, or why there is none. Jackson writes it as it is.
 *
 * @param row the row's name
 * @param iteration from 1; 0 if the row failed before
 * @param bytes bytes that were moved; null if it failed
 * @param seconds how long that took; null if it failed
 * @param error why it failed
 */
record CeilingSample(
    String row,
    int iteration,
    Status status,
    @Nullable Long bytes,
    @Nullable Double seconds,
    @Nullable String error) {
  static CeilingSample ok(CeilingRow row, int iteration, long bytes, long ns) {
    return new CeilingSample(row.name(), iteration, Status.OK, bytes, ns / 1e9, null);
  }

  static CeilingSample failed(CeilingRow row, int iteration, @Nullable String error) {
    return new CeilingSample(row.name(), iteration, Status.FAILED, null, null, error);
  }
}
