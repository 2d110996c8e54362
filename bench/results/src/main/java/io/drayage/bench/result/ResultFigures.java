package io.drayage.bench.result;

import io.drayage.bench.statistics.Medians;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one system over the runs that count; null if none does.
 *
 * @param sqMedianS median of S+Q in seconds
 * @param commitMedianS median of the whole commit in seconds
 * @param downloadedCommitMedianS median of the whole commit with a download of the snapshot
 * @param rawMBps raw bytes per second of the median S+Q, in MB/s (10^6)
 * @param wireBytes median of the bytes sent
 * @param ratio raw bytes per byte sent
 * @param sqMinS the fastest S+Q
 * @param sqMaxS the slowest S+Q
 * @param cpuMedianS median of the CPU time of both processes
 * @param cpuSPerGB this CPU time per GB (10^9) of raw bytes
 * @param jitShare median of the compiler threads' part of the CPU time
 */
public record ResultFigures(
    @Nullable Double sqMedianS,
    @Nullable Double commitMedianS,
    @Nullable Double downloadedCommitMedianS,
    @Nullable Double rawMBps,
    @Nullable Long wireBytes,
    @Nullable Double ratio,
    @Nullable Double sqMinS,
    @Nullable Double sqMaxS,
    @Nullable Double cpuMedianS,
    @Nullable Double cpuSPerGB,
    @Nullable Double jitShare) {
  static ResultFigures of(List<Run> counted) {
    Double sq = Medians.of(counted, Run::sqS);
    Double wire = Medians.of(counted, Run::wireBytes);
    Double raw = Medians.of(counted, Run::rawBytes);
    Double cpu = Medians.of(counted, Run::cpuS);
    DoubleSummaryStatistics range =
        counted.stream()
            .map(Run::sqS)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return new ResultFigures(
        sq,
        Medians.of(counted, Run::commitS),
        Medians.of(counted, Run::downloadedCommitS),
        sq == null || raw == null ? null : (Double) (raw / sq / 1e6),
        wire == null ? null : (Long) Math.round(wire),
        quotient(raw, wire),
        sq == null ? null : (Double) range.getMin(),
        sq == null ? null : (Double) range.getMax(),
        cpu,
        cpu == null || raw == null ? null : (Double) (cpu / raw * 1e9),
        Medians.of(counted, Run::jitShare));
  }

  /** Divides {@code of} by {@code by}; null if either is null, or if the result is no number. */
  public static @Nullable Double quotient(@Nullable Double of, @Nullable Double by) {
    return of == null || by == null || by == 0 ? null : (Double) (of / by);
  }
}
