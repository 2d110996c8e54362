package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;

/**
 * How the counters of one end stood at a moment, or with {@link #minus} what happened between two.
 * Immutable.
 *
 * <p>The counters are read one after the other while threads go on, so that two of them may differ
 * by the frames of that instant; when nothing is under way, they agree.
 *
 * @param atNs {@link System#nanoTime} of the snapshot; after {@code minus} the nanoseconds between
 * @param encode what was encoded; all 0 on a transactor
 * @param decode what was decoded; all 0 on a worker
 * @param outbound what went out; all 0 on a transactor
 * @param shipments how far shipments got
 * @param failures shipments that ended without a commit, or were refused, by the reason; without
 *     those reasons that did not occur
 * @param stages the processor time of the threads, for every stage
 */
public record MetricsSnapshot(
    long atNs,
    Figures encode,
    Figures decode,
    Figures outbound,
    Figures shipments,
    Map<Fault, Long> failures,
    Map<Stage, StageUse> stages) {
  public MetricsSnapshot {
    Map<Fault, Long> occurred = new EnumMap<>(Fault.class);
    occurred.putAll(failures);
    occurred.values().removeIf(count -> count == 0);
    failures = Map.copyOf(occurred);
    stages = Map.copyOf(stages);
  }

  /** Shipments that failed for any reason. */
  public long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many failed for this reason. */
  public long failed(Fault fault) {
    return failures.getOrDefault(fault, 0L);
  }

  /** The use of one stage. */
  public StageUse stage(Stage stage) {
    return stages.getOrDefault(stage, new StageUse(Map.of(), 0));
  }

  /** What happened since {@code earlier}, a snapshot of the same end. */
  public MetricsSnapshot minus(MetricsSnapshot earlier) {
    Map<Fault, Long> since = new EnumMap<>(Fault.class);
    failures.forEach((fault, count) -> since.put(fault, count - earlier.failed(fault)));
    Map<Stage, StageUse> uses = new EnumMap<>(Stage.class);
    stages.forEach((stage, use) -> uses.put(stage, use.minus(earlier.stage(stage))));
    return new MetricsSnapshot(
        atNs - earlier.atNs,
        encode.minus(earlier.encode),
        decode.minus(earlier.decode),
        outbound.minus(earlier.outbound),
        shipments.minus(earlier.shipments),
        since,
        uses);
  }
}
