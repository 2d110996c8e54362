package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.DaemonThreads;
import io.drayage.transactor.NodeEvents;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger.Level;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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
  private final NodeEvents events;
  private final long sessionTimeoutMs;
  private final List<GarbageCollectorMXBean> collectors;
  private final Thread thread = new DaemonThreads("drayage-pauses").newThread(this::watch);

  /** The last pause of half the session timeout; null before the first. */
  private volatile @Nullable Noted last;

  private record Noted(Health.Pause pause, Instant end) {}

  /**
   * Registers the meters; {@link #start} begins to measure.
   *
   * @param events gets pauses of half the session timeout
   */
  PauseWatch(MeterRegistry registry, Duration sessionTimeout, NodeEvents events) {
    this.sessionTimeoutMs = sessionTimeout.toMillis();
    this.events = events;
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
      long collectorMs = Math.min(collectedMs, pauseMs);
      String text =
          format(
              "this node stood still for %,d ms, of which the garbage collector took %,d",
              pauseMs, collectorMs);
      LOG.log(
          Level.WARNING,
          format(
              "%s: after two thirds of the session timeout, %,d ms, it may count as dead",
              text, sessionTimeoutMs));
      events.add(text);
      last = new Noted(new Health.Pause(pauseMs, collectorMs), Instant.now());
    }
  }

  /** The last pause of half the session timeout since a time; null if there was none. */
  Health.@Nullable Pause since(Instant begin) {
    Noted noted = last;
    return noted == null || noted.end.isBefore(begin) ? null : noted.pause;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
