package io.drayage.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one group of metrics. Public for pipelines, transports and nodes, which count
 * here; other callers read {@link Figures}. Thread-safe: later snapshots contain every addition.
 */
public final class Counters {
  private final Map<Metric, LongAdder> sums = new EnumMap<>(Metric.class);
  private final Map<Metric, AtomicLong> levels = new EnumMap<>(Metric.class);

  Counters(Metric.Group group) {
    for (Metric metric : Metric.values()) {
      if (metric.group() == group && metric.isLevel()) {
        levels.put(metric, new AtomicLong());
      } else if (metric.group() == group) {
        sums.put(metric, new LongAdder());
      }
    }
  }

  /** Adds to a sum. */
  public void add(Metric metric, long value) {
    Objects.requireNonNull(sums.get(metric)).add(value);
  }

  /** Adds 1. */
  public void count(Metric metric) {
    add(metric, 1);
  }

  /** Adds 1 to a metric, and so many nanoseconds or bytes to another. */
  public void count(Metric metric, Metric amount, long value) {
    add(metric, 1);
    add(amount, value);
  }

  /** Sets a level. */
  public void set(Metric level, long value) {
    atomic(level).set(value);
  }

  /** Counts a frame that enters the queue of a connection. */
  public void enqueued(long bytes) {
    raise(Metric.PEAK_QUEUED_FRAMES, atomic(Metric.QUEUED_FRAMES).incrementAndGet());
    raise(Metric.PEAK_QUEUED_BYTES, atomic(Metric.QUEUED_BYTES).addAndGet(bytes));
  }

  /** Counts a frame that leaves the queue of a connection: written to the socket, or dropped. */
  public void dequeued(long bytes) {
    atomic(Metric.QUEUED_FRAMES).decrementAndGet();
    atomic(Metric.QUEUED_BYTES).addAndGet(-bytes);
  }

  /** Raises a peak. This is mostly one plain read, since a peak seldom rises. */
  private void raise(Metric metric, long value) {
    AtomicLong peak = atomic(metric);
    if (value > peak.get()) {
      peak.accumulateAndGet(value, Math::max);
    }
  }

  /** Returns the current value of a level. */
  public long level(Metric metric) {
    return atomic(metric).get();
  }

  private AtomicLong atomic(Metric level) {
    return Objects.requireNonNull(levels.get(level));
  }

  /** Returns the current values. */
  public Figures snapshot() {
    Map<Metric, Long> values = new EnumMap<>(Metric.class);
    sums.forEach((metric, sum) -> values.put(metric, sum.sum()));
    levels.forEach((metric, level) -> values.put(metric, level.get()));
    return new Figures(values);
  }
}
