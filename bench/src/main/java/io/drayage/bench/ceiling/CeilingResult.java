package io.drayage.bench.ceiling;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ceilings of a machine, as written to JSON.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for
 * @param runs every measured iteration, failed ones too
 * @param summary one for each row
 */
public record CeilingResult(
    int schema,
    Environment environment,
    Config config,
    List<Sample> runs,
    List<CeilingSummary> summary)
    implements KeptResult {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /**
   * What was asked for.
   *
   * @param size bytes through the socket and to the disk, as the user wrote it
   * @param codecBytes raw bytes of the cargo that one core turned
   * @param link the path of the socket
   * @param io how the socket was driven
   * @param diskType the kind of file system that {@code fsync} wrote to
   * @param sinkShare what part of the socket's rate a shipment is expected to reach
   */
  public record Config(
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

  /**
   * One measured iteration of one row; bytes and seconds are null if it failed.
   *
   * @param iteration from 1; 0 if the row failed before
   */
  public record Sample(
      String row,
      int iteration,
      Status status,
      @Nullable Long bytes,
      @Nullable Double seconds,
      @Nullable String error) {
    static Sample ok(CeilingRow row, int iteration, long bytes, long ns) {
      return new Sample(row.name(), iteration, Status.OK, bytes, ns / 1e9, null);
    }

    static Sample failed(CeilingRow row, int iteration, @Nullable String error) {
      return new Sample(row.name(), iteration, Status.FAILED, null, null, error);
    }
  }

  @Override
  public boolean allOk() {
    return summary.stream().allMatch(row -> row.status() == Status.OK);
  }
}
