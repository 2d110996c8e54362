package io.drayage.bench.commits;

import java.util.Arrays;

/**
 * The answers to the callers of one round.
 *
 * @param commits number of answered commits
 * @param seconds from the first commit to the last answer
 * @param p50S the median of the answer times
 * @param worstS the longest answer time
 */
public record CommitTimings(long commits, double seconds, double p50S, double p99S, double worstS) {
  private static final double NS = 1e9;

  /**
   * @param answerNs at least one answer time, in any order; sorted by this call
   */
  static CommitTimings of(long[] answerNs, double seconds) {
    Arrays.sort(answerNs);
    return new CommitTimings(
        answerNs.length,
        seconds,
        quantile(answerNs, 0.5),
        quantile(answerNs, 0.99),
        answerNs[answerNs.length - 1] / NS);
  }

  /** Returns the smallest value that at least this share does not exceed, in seconds. */
  private static double quantile(long[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)] / NS;
  }
}
