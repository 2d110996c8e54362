package io.drayage.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of the threads of one {@link Stage}.
 *
 * @param cpuNsByThread nanoseconds of each living thread, by {@link Thread#getId}
 * @param endedCpuNs nanoseconds of all threads that have ended
 */
public record StageUse(Map<Long, Long> cpuNsByThread, long endedCpuNs) {
  /** The share of the stage's time from which a thread counts as active. */
  private static final double ACTIVE_SHARE = 0.01;

  public StageUse {
    cpuNsByThread = Map.copyOf(cpuNsByThread);
  }

  /** Nanoseconds of all threads together. */
  public long cpuNs() {
    return endedCpuNs + cpuNsByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Number of active threads: event loops without a connection do not count. All ended threads
   * count as one, because the threads of the stream pipeline follow each other.
   */
  public int activeThreads() {
    double least = ACTIVE_SHARE * cpuNs();
    long living = cpuNsByThread.values().stream().filter(ns -> ns > least).count();
    return Math.toIntExact(living) + (endedCpuNs > least ? 1 : 0);
  }

  /** Returns the CPU time since {@code earlier}. */
  public StageUse minus(StageUse earlier) {
    Map<Long, Long> since = new HashMap<>();
    long ended = endedCpuNs - earlier.endedCpuNs;
    cpuNsByThread.forEach(
        (thread, ns) -> since.put(thread, ns - earlier.cpuNsByThread.getOrDefault(thread, 0L)));
    for (Map.Entry<Long, Long> gone : earlier.cpuNsByThread.entrySet()) {
      // The thread has ended: its time is part of the ended threads' time now.
      ended -= cpuNsByThread.containsKey(gone.getKey()) ? 0 : gone.getValue();
    }
    return new StageUse(since, ended);
  }
}
