package io.drayage.cli.admin;

import io.drayage.codec.pool.DaemonThreads;
import io.drayage.codec.pool.FatalErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks something that a node depends on, now and then, on its own thread, and remembers when it
 * answered last. One that hangs is as one that fails. Thread-safe.
 */
final class HealthCheck implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** Until it has answered. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Without a success for so long, it is not well. */
  private static final Duration PATIENCE = PERIOD.multipliedBy(3);

  private final String name;
  private final Probe probe;
  private final long beganNs = System.nanoTime();
  private final ScheduledExecutorService thread;
  private volatile @Nullable Success last;
  private volatile @Nullable String failure;

  /** A question whose answer does not matter. */
  interface Probe {
    void ask() throws Exception;
  }

  /**
   * How it stands.
   *
   * @param lastSuccess null if there was none
   * @param failure why the newest question has failed; null if it has not
   */
  record Health(boolean well, @Nullable Instant lastSuccess, @Nullable String failure) {}

  private record Success(Instant time, long atNs) {}

  HealthCheck(String name, Probe probe) {
    this.name = name;
    this.probe = probe;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("drayage-check-" + name));
    var unused =
        thread.scheduleWithFixedDelay(this::askIfDue, 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
  }

  String name() {
    return name;
  }

  private void askIfDue() {
    Success success = last;
    if (success == null
        || failure != null
        || System.nanoTime() - success.atNs >= PERIOD.toNanos()) {
      ask();
    }
  }

  private void ask() {
    try {
      probe.ask();
      last = new Success(Instant.now(), System.nanoTime());
      failure = null;
    } catch (Exception | Error e) {
      FatalErrors.report(e);
      failure = e.toString();
    }
  }

  Health health() {
    Success success = last;
    return new Health(
        success != null && System.nanoTime() - success.atNs < PATIENCE.toNanos(),
        success == null ? null : success.time,
        failure);
  }

  /** Seconds since the last success, or since the start. */
  double ageS() {
    Success success = last;
    return (System.nanoTime() - (success == null ? beganNs : success.atNs)) / 1e9;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
