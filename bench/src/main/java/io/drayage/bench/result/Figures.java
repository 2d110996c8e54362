package io.drayage.bench.result;

import io.drayage.bench.statistics.Medians;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one system over the runs that went well; null if none did.
 *
 * @param sqMedianS median of S+Q in seconds
 * @param commitMedianS median of the whole commit in seconds
 * @param rawMBps raw bytes per second of the median S+Q, in MB/s (10^6)
 * @param wireBytes median of the bytes sent
 * @param ratio raw bytes per byte sent
 * @param sqSpeedup S+Q of the baseline over this system's, by their medians; null if either failed
 * @param commitSpeedup the same for the whole commit
 * @param sqMinS the fastest S+Q
 * @param sqMaxS the slowest S+Q
 * @param cpuMedianS median of the processor time of both processes
 */
public record Figures(
    @Nullable Double sqMedianS,
    @Nullable Double commitMedianS,
    @Nullable Double rawMBps,
    @Nullable Long wireBytes,
    @Nullable Double ratio,
    @Nullable Double sqSpeedup,
    @Nullable Double commitSpeedup,
    @Nullable Double sqMinS,
    @Nullable Double sqMaxS,
    @Nullable Double cpuMedianS) {
  /** Of a system that was not run. */
  static final Figures NONE =
      new Figures(null, null, null, null, null, null, null, null, null, null);

  static Figures of(List<Run> ok) {
    Double sq = Medians.of(ok, Run::sqS);
    Double wire = Medians.of(ok, Run::wireBytes);
    Double raw = Medians.of(ok, Run::rawBytes);
    List<Double> sorted = ok.stream().map(Run::sqS).filter(Objects::nonNull).sorted().toList();
    return new Figures(
        sq,
        Medians.of(ok, Run::commitS),
        sq == null || raw == null ? null : raw / sq / 1e6,
        wire == null ? null : Math.round(wire),
        wire == null || raw == null ? null : raw / wire,
        null,
        null,
        sorted.isEmpty() ? null : sorted.get(0),
        sorted.isEmpty() ? null : sorted.get(sorted.size() - 1),
        Medians.of(ok, Run::cpuS));
  }

  /** Sets the speedups over a baseline. */
  Figures over(Figures baseline) {
    return new Figures(
        sqMedianS,
        commitMedianS,
        rawMBps,
        wireBytes,
        ratio,
        quotient(baseline.sqMedianS, sqMedianS),
        quotient(baseline.commitMedianS, commitMedianS),
        sqMinS,
        sqMaxS,
        cpuMedianS);
  }

  static @Nullable Double quotient(@Nullable Double of, @Nullable Double by) {
    return of == null || by == null ? null : (Double) (of / by);
  }
}
