package io.drayage.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the machine at the time of a comparison, measured separately, and each system's
 * share of them. Jackson writes it unchanged; null is not measured.
 *
 * @param sinkMBps frames over one connection of the Netty transport, over the path of the
 *     comparison, without a codec, in MB/s (10^6)
 * @param iperf3MBps the rate of iperf3 on the same path, in MB/s
 * @param copyOutMBps arrays into direct memory, on one core
 * @param copyInMBps direct memory into new arrays, on one core
 * @param cores number of cores of both ends together
 * @param systems the share of each
 */
public record Ceilings(
    @Nullable Double sinkMBps,
    @Nullable Double iperf3MBps,
    @Nullable Double copyOutMBps,
    @Nullable Double copyInMBps,
    int cores,
    List<CeilingShare> systems) {
  /** Creates the limits without any system. */
  public Ceilings(
      @Nullable Double sinkMBps,
      @Nullable Double iperf3MBps,
      @Nullable Double copyOutMBps,
      @Nullable Double copyInMBps) {
    this(
        sinkMBps,
        iperf3MBps,
        copyOutMBps,
        copyInMBps,
        Runtime.getRuntime().availableProcessors(),
        List.of());
  }

  /**
   * Adds the share of each system.
   *
   * @param runs of all systems, for the loads of their stages
   */
  public Ceilings withShares(List<Summary> summaries, List<Run> runs) {
    List<CeilingShare> shares =
        summaries.stream().map(summary -> CeilingShare.of(summary, runs, this)).toList();
    return new Ceilings(sinkMBps, iperf3MBps, copyOutMBps, copyInMBps, cores, shares);
  }

  /** Returns the rate of the path: the better of its two measures; null if there is none. */
  @Nullable Double pathMBps() {
    if (sinkMBps == null || iperf3MBps == null) {
      return sinkMBps == null ? iperf3MBps : sinkMBps;
    }
    return Math.max(sinkMBps, iperf3MBps);
  }

  /** Seconds that all cores need for the copies out of and into arrays, at both ends. */
  @Nullable Double copyS(double rawMB) {
    return copyOutMBps == null || copyInMBps == null
        ? null
        : (Double) ((rawMB / copyOutMBps + rawMB / copyInMBps) / cores);
  }
}
