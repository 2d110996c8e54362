package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one end. Pass the same object to a {@code CargoSender} and to the options of its
 * transport, or to a {@code CargoReceiver} and to the options of its transport, and call {@link
 * #snapshot}. Several senders or receivers may share the object, which then has their sums.
 *
 * <p>Thread-safe. Counting costs a few uncontended additions for each frame. Take a snapshot a few
 * times a second at most.
 */
public final class DrayageMetrics {
  private final Counters encode = new Counters(Metric.Group.CODEC);
  private final Counters decode = new Counters(Metric.Group.CODEC);
  private final Counters outbound = new Counters(Metric.Group.OUTBOUND);
  private final Counters shipments = new Counters(Metric.Group.SHIPMENTS);
  private final Map<Fault, LongAdder> failed = new EnumMap<>(Fault.class);
  private final StageThreads threads = new StageThreads();

  /** Creates counters that start at 0. */
  public DrayageMetrics() {
    for (Fault fault : Fault.values()) {
      failed.put(fault, new LongAdder());
    }
  }

  /** Returns the current values. */
  public MetricsSnapshot snapshot() {
    Map<Fault, Long> failures = new EnumMap<>(Fault.class);
    failed.forEach((fault, count) -> failures.put(fault, count.sum()));
    return new MetricsSnapshot(
        System.nanoTime(),
        encode.snapshot(),
        decode.snapshot(),
        outbound.snapshot(),
        shipments.snapshot(),
        failures,
        threads.snapshot());
  }

  // Pipelines and transports count here.

  /** Counters of a worker's encoding. */
  public Counters encode() {
    return encode;
  }

  /** Counters of a transactor's decoding. */
  public Counters decode() {
    return decode;
  }

  /** Counters of a worker's frames on their way into the transport. */
  public Counters outbound() {
    return outbound;
  }

  /** Counters of shipments by the state that they reached, at either end. */
  public Counters shipments() {
    return shipments;
  }

  /** Counts a shipment that ended without a commit, or was refused. */
  public void addFailed(Fault fault) {
    Objects.requireNonNull(failed.get(fault)).increment();
  }

  /** The threads whose CPU time is counted, by their stage. */
  public StageThreads threads() {
    return threads;
  }
}
