package io.drayage.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The threads of each {@link Stage}, and their CPU time.
 *
 * <p>The kernel counts CPU time in any case: it costs something only when it is read. A thread that
 * waits for work, a buffer, credit or the socket uses none. A thread that spins in the kernel's TCP
 * path does. Unlike elapsed time, CPU time does not grow while other threads hold the cores.
 *
 * <p>Public for transports and pipelines, whose threads join a stage. Other callers read a {@link
 * MetricsSnapshot}. Thread-safe.
 */
public final class StageThreads {
  private static final long UNKNOWN = -1;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<Stage, Members> members = new EnumMap<>(Stage.class);

  StageThreads() {
    for (Stage stage : Stage.values()) {
      members.put(stage, new Members());
    }
  }

  /** Counts the calling thread for {@code stage} from now on. Cheap if it has joined before. */
  public void join(Stage stage) {
    Members of = members(stage);
    long id = Thread.currentThread().getId();
    if (!of.beforeNs.containsKey(id)) {
      of.beforeNs.put(id, Math.max(0, cpuNs(id)));
    }
  }

  /**
   * Counts the calling thread for {@code stage} until the same thread ends the returned period. For
   * threads that end, or do something else afterwards.
   */
  public Period begin(Stage stage) {
    LongAdder ended = members(stage).endedNs;
    long id = Thread.currentThread().getId();
    long beganNs = cpuNs(id);
    return () -> {
      long nowNs = cpuNs(id);
      if (beganNs != UNKNOWN && nowNs != UNKNOWN) {
        ended.add(nowNs - beganNs);
      }
    };
  }

  /** A period in which a thread works for a stage. */
  @FunctionalInterface
  public interface Period {
    /** Ends the period. Call this once. */
    void end();
  }

  /** Returns the CPU time of every stage until now. */
  Map<Stage, StageUse> snapshot() {
    Map<Stage, StageUse> uses = new EnumMap<>(Stage.class);
    members.forEach((stage, of) -> uses.put(stage, use(of)));
    return uses;
  }

  /** Returns the CPU time of a stage. Synchronized, because it moves times to the sum. */
  private synchronized StageUse use(Members of) {
    Map<Long, Long> living = new HashMap<>();
    for (long id : List.copyOf(of.beforeNs.keySet())) {
      long ns = cpuNs(id);
      if (ns == UNKNOWN) {
        // The thread has ended. Its time since the last snapshot is lost, so closing takes one.
        of.beforeNs.remove(id);
        of.endedNs.add(Objects.requireNonNullElse(of.lastNs.remove(id), 0L));
      } else {
        long usedNs = ns - Objects.requireNonNullElse(of.beforeNs.get(id), ns);
        living.put(id, usedNs);
        of.lastNs.put(id, usedNs);
      }
    }
    return new StageUse(living, of.endedNs.sum());
  }

  private Members members(Stage stage) {
    return Objects.requireNonNull(members.get(stage));
  }

  private long cpuNs(long threadId) {
    return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
        ? threads.getThreadCpuTime(threadId)
        : UNKNOWN;
  }

  /** Per thread: its CPU time when it joined, and its time from then to the last snapshot. */
  private static final class Members {
    private final Map<Long, Long> beforeNs = new ConcurrentHashMap<>();
    private final Map<Long, Long> lastNs = new ConcurrentHashMap<>();
    private final LongAdder endedNs = new LongAdder();
  }
}
