package io.drayage.bench.child;

/**
 * What the threads of one stage did in one iteration.
 *
 * @param cpuS their processor time together, in seconds
 * @param threads how many of them took part
 */
public record StageLoad(double cpuS, int threads) {
  /** Processor time of a thread in relation to {@code seconds}; 1 is one that did nothing else. */
  public double utilisation(double seconds) {
    return threads == 0 ? 0 : cpuS / threads / seconds;
  }
}
