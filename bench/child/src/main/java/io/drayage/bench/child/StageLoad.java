package io.drayage.bench.child;

/**
 * The load of the threads of one stage in one iteration.
 *
 * @param cpuS CPU time of all threads together, in seconds
 * @param threads number of threads that took part
 */
public record StageLoad(double cpuS, int threads) {
  /** CPU time of a thread in relation to {@code seconds}; 1 is a thread that was always busy. */
  public double utilisation(double seconds) {
    return threads == 0 ? 0 : cpuS / threads / seconds;
  }
}
