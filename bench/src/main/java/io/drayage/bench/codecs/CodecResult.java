package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes or times of codecs, as written to JSON.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param summary one row for each combination
 */
public record CodecResult<R extends CodecResult.Row>(
    int schema, Environment environment, CodecConfig config, List<R> summary)
    implements KeptResult {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /** What was measured of one combination. */
  public interface Row {
    /** What was measured. */
    Combination combination();

    /** {@link Status#FAILED} if there is nothing to show. */
    Status status();

    /** Why it failed; null if it did not. */
    @Nullable String error();
  }

  /** A result of this machine. */
  public static <R extends Row> CodecResult<R> of(CodecConfig config, List<R> rows) {
    return new CodecResult<>(SCHEMA, Environment.capture(), config, rows);
  }

  @Override
  public boolean allOk() {
    return summary.stream().allMatch(row -> row.status() == Status.OK);
  }

  /** A line for each combination that failed. */
  public List<String> failures() {
    return summary.stream()
        .filter(row -> row.status() == Status.FAILED)
        .map(row -> "FAILED %s: %s".formatted(row.combination(), row.error()))
        .toList();
  }
}
