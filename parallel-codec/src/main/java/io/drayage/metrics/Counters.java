package io.drayage.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the metrics of one group. Public for pipelines, transports and nodes, which count here;
 * others read {@link Figures}. Thread-safe; what is added is seen by later snapshots.
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

  /** Something happened once more. */
  public void count(Metric metric) {
    add(metric, 1);
  }

  /** Something happened once more, with so many nanoseconds or bytes. */
  public void count(Metric metric, Metric amount, long value) {
    add(metric, 1);
    add(amount, value);
  }

  /** Sets a level. */
  public void set(Metric level, long value) {
    atomic(level).set(value);
  }

  /** A frame waits in the queue of a connection. */
  public void enqueued(long bytes) {
    raise(Metric.PEAK_QUEUED_FRAMES, atomic(Metric.QUEUED_FRAMES).incrementAndGet());
    raise(Metric.PEAK_QUEUED_BYTES, atomic(Metric.QUEUED_BYTES).addAndGet(bytes));
  }

  /** A frame has left the queue of a connection, for the socket or because all is over. */
  public void dequeued(long bytes) {
    atomic(Metric.QUEUED_FRAMES).decrementAndGet();
    atomic(Metric.QUEUED_BYTES).addAndGet(-bytes);
  }

  /** Mostly one plain read, since a peak is seldom raised. */
  private void raise(Metric metric, long value) {
    AtomicLong peak = atomic(metric);
    if (value > peak.get()) {
      peak.accumulateAndGet(value, Math::max);
    }
  }

  /** How a level stands now. */
  public long level(Metric metric) {
    return atomic(metric).get();
  }

  private AtomicLong atomic(Metric level) {
    return Objects.requireNonNull(levels.get(level));
  }

  /** What was counted so far. */
  public Figures snapshot() {
    Map<Metric, Long> values = new EnumMap<>(Metric.class);
    sums.forEach((metric, sum) -> values.put(metric, sum.sum()));
    levels.forEach((metric, level) -> values.put(metric, level.get()));
    return new Figures(values);
  }
}
