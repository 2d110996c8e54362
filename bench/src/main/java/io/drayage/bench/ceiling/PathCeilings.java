package io.drayage.bench.ceiling;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.rig.HeapPlan;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the path and the copies in a few seconds: the bounds of a comparison. */
public final class PathCeilings {
  private static final long PATH_BYTES = 1_000_000_000;
  private static final long CODEC_BYTES = 64_000_000;
  private static final int WARMUP = 2;
  private static final int ITERATIONS = 3;

  private PathCeilings() {}

  /**
   * Measures. What fails is null in the result; the display shows why.
   *
   * @param link the path; stays the caller's
   * @param logs the folder for the children's logs; it exists
   */
  public static Ceilings measure(Link link, Path logs, StepDisplay display)
      throws InterruptedException {
    CeilingPlan plan = plan(link, logs);
    List<CeilingResult.Sample> samples = new CeilingRun(plan, display).run();
    List<CeilingSummary> summaries = CeilingSummary.of(plan.rows(), samples);
    return new Ceilings(
        megabytes(summaries, CeilingRow.SOCKET),
        megabytes(summaries, CeilingRow.IPERF3),
        megabytes(summaries, CeilingRow.COPY_OUT),
        megabytes(summaries, CeilingRow.COPY_IN));
  }

  /** The number of steps that the display shows. */
  public static int steps(Link link, Path logs) {
    return plan(link, logs).steps();
  }

  private static CeilingPlan plan(Link link, Path logs) {
    CargoSource cargo = CargoSources.parse("thesis", CODEC_BYTES, 1);
    List<CeilingRow> rows =
        CeilingRow.available().stream()
            .filter(
                row ->
                    row.isPath()
                        || row.equals(CeilingRow.COPY_OUT)
                        || row.equals(CeilingRow.COPY_IN))
            .toList();
    return new CeilingPlan(
        rows,
        PATH_BYTES,
        CODEC_BYTES,
        ITERATIONS,
        WARMUP,
        logs,
        HeapPlan.of(cargo.heapBytes(), cargo.loadingHeapBytes()),
        logs,
        link);
  }

  private static @Nullable Double megabytes(List<CeilingSummary> summaries, CeilingRow row) {
    Double gbps = CeilingSummary.rate(summaries, row);
    return gbps == null ? null : (Double) (1000 * gbps);
  }
}
