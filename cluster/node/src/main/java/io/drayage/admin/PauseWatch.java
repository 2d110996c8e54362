package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.DaemonThreads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger.Level;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the pauses of this process. Its own thread sleeps {@value #NAP_MS} ms at a time and
 * records how much later it wakes up. The measurement covers everything that stops all threads: the
 * garbage collector, a signal, a machine without a free core. A pause of half the session timeout
 * is logged. After two thirds of the timeout the node may count as dead, because it sends a
 * heartbeat every third. Thread-safe.
 */
final class PauseWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PauseWatch.class.getName());
  private static final long NAP_MS = 50;

  /** Shortest delay that counts as a pause. Shorter delays are normal scheduling. */
  private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(30),
    Duration.ofMillis(100),
    Duration.ofMillis(300),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10)
  };

  private final Timer pauses;
  private final long sessionTimeoutMs;
  private final List<GarbageCollectorMXBean> collectors;
  private final Thread thread = new DaemonThreads("drayage-pauses").newThread(this::watch);

  /** Registers the meters; {@link #start} begins to measure. */
  PauseWatch(MeterRegistry registry, Duration sessionTimeout) {
    this.sessionTimeoutMs = sessionTimeout.toMillis();
    this.pauses =
        Timer.builder("drayage.pause")
            .description("pauses of this process, for any reason")
            .serviceLevelObjectives(BOUNDS)
            .register(registry);
    Gauge.builder("drayage.session.timeout", () -> sessionTimeoutMs / 1e3)
        .description("a node without a heartbeat for this time counts as dead")
        .baseUnit("seconds")
        .register(registry);
    // Only collectors that pause all threads.
    this.collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(each -> !each.getName().matches(".*(Cycles|Concurrent).*"))
            .toList();
  }

  void start() {
    thread.start();
  }

  private void watch() {
    try {
      while (true) {
        long collectedMs = collectedMs();
        long beganNs = System.nanoTime();
        Thread.sleep(NAP_MS);
        long lateNs = System.nanoTime() - beganNs - TimeUnit.MILLISECONDS.toNanos(NAP_MS);
        if (lateNs >= LEAST_NS) {
          paused(lateNs, collectedMs() - collectedMs);
        }
      }
    } catch (InterruptedException e) {
      // The watch is closed.
    }
  }

  private long collectedMs() {
    long sum = 0;
    for (GarbageCollectorMXBean each : collectors) {
      sum += Math.max(0, each.getCollectionTime());
    }
    return sum;
  }

  /**
   * Records a pause.
   *
   * @param collectedMs the part of it that the garbage collector took
   */
  void paused(long pauseNs, long collectedMs) {
    pauses.record(pauseNs, TimeUnit.NANOSECONDS);
    long pauseMs = TimeUnit.NANOSECONDS.toMillis(pauseNs);
    if (pauseMs >= sessionTimeoutMs / 2) {
      LOG.log(
          Level.WARNING,
          format(
              "this node stood still for %,d ms, of which the garbage collector took %,d: after two thirds of the session timeout, %,d ms, it may count as dead",
              pauseMs, Math.min(collectedMs, pauseMs), sessionTimeoutMs));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
