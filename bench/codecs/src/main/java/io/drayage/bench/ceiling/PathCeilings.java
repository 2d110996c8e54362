package io.drayage.bench.ceiling;

import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Ceilings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the path and the copies in a few seconds: the limits of a comparison. */
public final class PathCeilings {
  private PathCeilings() {}

  /**
   * Measures the limits. A failed one is null in the result; the display shows the reason.
   *
   * @param link the path; the caller closes it
   * @param logs the folder for the children's logs; it exists
   */
  public static Ceilings measure(Link link, Path logs, StepDisplay display)
      throws InterruptedException {
    List<CeilingSummary> measured = new CeilingRun(plan(link, logs), display).run().summary();
    return new Ceilings(
        megabytes(measured, CeilingRow.SOCKET),
        megabytes(measured, CeilingRow.IPERF3),
        megabytes(measured, CeilingRow.COPY_OUT),
        megabytes(measured, CeilingRow.COPY_IN));
  }

  /** Number of steps that the display shows. */
  public static int steps(Link link, Path logs) {
    return plan(link, logs).steps();
  }

  private static CeilingPlan plan(Link link, Path logs) {
    List<CeilingRow> rows =
        CeilingRow.available().stream()
            .filter(row -> row.isPath() || CeilingRow.COPIES.contains(row))
            .toList();
    return new CeilingPlan(rows, 1_000_000_000, 64_000_000, 3, 2, logs, logs, link);
  }

  private static @Nullable Double megabytes(List<CeilingSummary> measured, CeilingRow row) {
    Double gbps = CeilingSummary.rate(measured, row);
    return gbps == null ? null : (Double) (1000 * gbps);
  }
}
