package io.drayage.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The processor time of the threads of one {@link Stage}.
 *
 * @param cpuNsByThread nanoseconds of each thread that lives on, by {@link Thread#getId}
 * @param endedCpuNs nanoseconds of all threads that have ended
 */
public record StageUse(Map<Long, Long> cpuNsByThread, long endedCpuNs) {
  /** A thread with less than this share of its stage's time has done nothing worth counting. */
  private static final double ACTIVE_SHARE = 0.01;

  public StageUse {
    cpuNsByThread = Map.copyOf(cpuNsByThread);
  }

  /** Nanoseconds of all threads together. */
  public long cpuNs() {
    return endedCpuNs + cpuNsByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * How many threads have taken part: event loops without a connection do not count. All threads
   * that have ended count as one: those of the stream pipeline follow each other.
   */
  public int activeThreads() {
    double least = ACTIVE_SHARE * cpuNs();
    long living = cpuNsByThread.values().stream().filter(ns -> ns > least).count();
    return Math.toIntExact(living) + (endedCpuNs > least ? 1 : 0);
  }

  /** What was used since {@code earlier}. */
  public StageUse minus(StageUse earlier) {
    Map<Long, Long> since = new HashMap<>();
    long ended = endedCpuNs - earlier.endedCpuNs;
    cpuNsByThread.forEach(
        (thread, ns) -> since.put(thread, ns - earlier.cpuNsByThread.getOrDefault(thread, 0L)));
    for (Map.Entry<Long, Long> gone : earlier.cpuNsByThread.entrySet()) {
      // Its time counts as that of ended threads now.
      ended -= cpuNsByThread.containsKey(gone.getKey()) ? 0 : gone.getValue();
    }
    return new StageUse(since, ended);
  }
}
