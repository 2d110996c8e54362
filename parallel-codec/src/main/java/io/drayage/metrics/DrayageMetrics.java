package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one end: give the same object to a {@code CargoSender} and to the options of its
 * transport, or to a {@code CargoReceiver} and to its, and ask it for {@link #snapshot}. It may
 * serve several senders or receivers; they are added up then.
 *
 * <p>Thread-safe. Counting is a few uncontended additions for each frame; take a snapshot a few
 * times a second at most.
 */
public final class DrayageMetrics {
  private final Counters encode = new Counters(Metric.Group.CODEC);
  private final Counters decode = new Counters(Metric.Group.CODEC);
  private final Counters outbound = new Counters(Metric.Group.OUTBOUND);
  private final Counters shipments = new Counters(Metric.Group.SHIPMENTS);
  private final Map<Fault, LongAdder> failed = new EnumMap<>(Fault.class);
  private final StageThreads threads = new StageThreads();

  /** Counts from 0. */
  public DrayageMetrics() {
    for (Fault fault : Fault.values()) {
      failed.put(fault, new LongAdder());
    }
  }

  /** How the counters stand now. */
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

  // Where pipelines and transports count.

  /** What a worker counts as it encodes. */
  public Counters encode() {
    return encode;
  }

  /** What a transactor counts as it decodes. */
  public Counters decode() {
    return decode;
  }

  /** What a worker counts of frames on their way into the transport. */
  public Counters outbound() {
    return outbound;
  }

  /** How far shipments got, at either end. */
  public Counters shipments() {
    return shipments;
  }

  /** A shipment has ended without a commit, or was refused. */
  public void addFailed(Fault fault) {
    Objects.requireNonNull(failed.get(fault)).increment();
  }

  /** The threads whose processor time is counted, by their stage. */
  public StageThreads threads() {
    return threads;
  }
}
