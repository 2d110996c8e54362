package io.drayage.bench.codecs;

import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Status;
import java.util.List;

/**
 * What one of the commands measured, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param summary one row for each combination
 */
record CodecResult(
    int schema, Object environment, Object config, List<? extends MeasuredRow> summary)
    implements KeptResult {
  /** The version of this form. */
  static final int SCHEMA = 1;

  @Override
  public boolean allOk() {
    return summary.stream().allMatch(row -> row.status() == Status.OK);
  }
}
