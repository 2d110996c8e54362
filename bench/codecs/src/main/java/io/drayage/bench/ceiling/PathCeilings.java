package io.drayage.bench.ceiling;

import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Floor;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the path and the copies in a few seconds: the limits of a comparison. */
public final class PathCeilings {
  private static final long CORE_BYTES = 64_000_000;
  private static final List<CeilingRow> PATH_AND_COPIES =
      List.of(CeilingRow.COPY_OUT, CeilingRow.COPY_IN, CeilingRow.SOCKET, CeilingRow.IPERF3);

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

  /**
   * Measures the floor of a commit. Null if that fails; {@code err} receives the reason.
   *
   * @param bytes the bytes of each pass; over a link at most those of a second
   * @param isStored whether the commits are stored
   * @param link the path; the caller closes it
   * @param disk the folder of the stored file
   * @param logs the folder for the children's logs; it exists
   */
  public static @Nullable Floor floor(
      long bytes, boolean isStored, Link link, Path disk, Path logs, PrintWriter err)
      throws InterruptedException {
    List<CeilingRow> rows = isStored ? CeilingRow.PASSES : CeilingRow.PASSES.subList(0, 2);
    CeilingPlan plan = new CeilingPlan(rows, bytes, CORE_BYTES, 3, 1, disk, logs, link);
    try (StepDisplay display = StepDisplay.onStandardError("floor", plan.steps(), err)) {
      return CeilingSummary.floor(new CeilingRun(plan, display).run().summary());
    }
  }

  /** Number of steps that the display shows. */
  public static int steps(Link link, Path logs) {
    return plan(link, logs).steps();
  }

  private static CeilingPlan plan(Link link, Path logs) {
    List<CeilingRow> rows =
        CeilingRow.available().stream().filter(row -> PATH_AND_COPIES.contains(row)).toList();
    return new CeilingPlan(rows, 1_000_000_000, CORE_BYTES, 3, 2, logs, logs, link);
  }

  private static @Nullable Double megabytes(List<CeilingSummary> measured, CeilingRow row) {
    Double gbps = CeilingSummary.rate(measured, row);
    return gbps == null ? null : (Double) (1000 * gbps);
  }
}
