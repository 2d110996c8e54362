package io.drayage.bench.child;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageUse;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the load of the stages of one end over a period, by the CPU time of their threads. The
 * metrics know the threads of the pipelines and of Netty. Threads of gRPC are found by their names.
 * Not thread-safe.
 */
final class StageMeter {
  private static final String GRPC_THREADS = "grpc-";
  private static final double NANOS_PER_S = 1e9;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final DrayageMetrics metrics;
  private final Stage transport;
  private MetricsSnapshot metricsBefore;
  private StageUse grpcBefore;
  private MetricsSnapshot during;
  private StageUse grpcDuring;

  /**
   * Measures from now on.
   *
   * @param transport the stage of a transport's own threads
   */
  StageMeter(DrayageMetrics metrics, Stage transport) {
    this.metrics = metrics;
    this.transport = transport;
    this.metricsBefore = metrics.snapshot();
    this.grpcBefore = grpcThreads();
    this.during = metricsBefore.minus(metricsBefore);
    this.grpcDuring = grpcBefore.minus(grpcBefore);
  }

  void begin() {
    metricsBefore = metrics.snapshot();
    grpcBefore = grpcThreads();
  }

  void end() {
    during = metrics.snapshot().minus(metricsBefore);
    grpcDuring = grpcThreads().minus(grpcBefore);
  }

  /** Returns the loads between {@link #begin} and {@link #end}, by the name of the stage. */
  Map<String, StageLoad> stages() {
    Map<String, StageLoad> loads = new HashMap<>();
    for (Stage stage : Stage.values()) {
      StageLoad load = load(during.stage(stage));
      if (stage == transport) {
        load = busier(load, load(grpcDuring));
      }
      if (load.threads() > 0) {
        loads.put(stage.name().toLowerCase(Locale.ROOT), load);
      }
    }
    return loads;
  }

  /** Separates living threads from ended ones: they do other work, so no average is made. */
  private static StageLoad load(StageUse use) {
    return busier(
        uniform(new StageUse(use.cpuNsByThread(), 0)),
        uniform(new StageUse(Map.of(), use.endedCpuNs())));
  }

  private static StageLoad uniform(StageUse use) {
    return new StageLoad(use.cpuNs() / NANOS_PER_S, use.activeThreads());
  }

  /** Returns the load that would be the bottleneck first. */
  private static StageLoad busier(StageLoad one, StageLoad other) {
    return one.cpuS() * other.threads() >= other.cpuS() * one.threads() && one.threads() > 0
        ? one
        : other;
  }

  WaitTimes waits() {
    return new WaitTimes(
        (during.encode().get(Metric.WAIT_NS) + during.decode().get(Metric.WAIT_NS)) / NANOS_PER_S,
        during.outbound().get(Metric.TRANSPORT_WAIT_NS) / NANOS_PER_S,
        during.outbound().get(Metric.CREDIT_STALL_NS) / NANOS_PER_S,
        during.outbound().get(Metric.SOCKET_STALL_NS) / NANOS_PER_S);
  }

  private StageUse grpcThreads() {
    Map<Long, Long> cpuNs = new HashMap<>();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(GRPC_THREADS)) {
        cpuNs.put(
            thread.getThreadId(), Math.max(0, threads.getThreadCpuTime(thread.getThreadId())));
      }
    }
    return new StageUse(cpuNs, 0);
  }
}
