package io.drayage.bench.ceiling;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Status;
import java.util.List;

/**
 * What was measured, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param runs every measured iteration, failed ones too
 * @param summary one for each row
 */
record CeilingResult(
    int schema,
    Environment environment,
    Config config,
    List<CeilingSample> runs,
    List<CeilingSummary> summary)
    implements KeptResult {
  /** The version of this form. */
  static final int SCHEMA = 1;

  /**
   * What was asked for.
   *
   * @param size bytes through the socket and to the disk, as the user wrote it
   * @param sizeBytes the same in bytes
   * @param codecBytes raw bytes of the cargo that one core turned
   * @param link what the socket went over
   * @param linkFacts how that was made
   * @param io how the socket was driven
   * @param diskType the kind of file system that {@code fsync} wrote to
   * @param sinkShare what part of the socket's rate a shipment is expected to reach
   */
  record Config(
      String size,
      long sizeBytes,
      long codecBytes,
      int iterations,
      int warmup,
      String link,
      LinkFacts linkFacts,
      String io,
      String diskType,
      double sinkShare,
      List<String> jvmOptions) {}

  @Override
  public boolean allOk() {
    return summary.stream().allMatch(row -> row.status() == Status.OK);
  }
}
