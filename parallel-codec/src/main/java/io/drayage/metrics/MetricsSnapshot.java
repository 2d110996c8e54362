package io.drayage.metrics;

import io.drayage.frame.Fault;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of one end at a moment, or their growth between two moments (see {@link #minus}).
 * Immutable.
 *
 * <p>The counters are read one after the other while threads go on. Two of them may therefore
 * differ by the frames of that instant. They agree when nothing is in transit.
 *
 * @param atNs {@link System#nanoTime} of the snapshot; after {@code minus}, nanoseconds between
 *     both
 * @param encode counters of encoding; all 0 on a transactor
 * @param decode counters of decoding; all 0 on a worker
 * @param outbound counters of frames on their way into the transport; all 0 on a transactor
 * @param shipments counters of shipments by the state that they reached
 * @param failures shipments that ended without a commit, or were refused, by the fault; only faults
 *     that occurred
 * @param stages the CPU time of the threads, for every stage
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

  /** Number of shipments that failed for any reason. */
  public long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Number of shipments that failed for this reason. */
  public long failed(Fault fault) {
    return failures.getOrDefault(fault, 0L);
  }

  /** The use of one stage. */
  public StageUse stage(Stage stage) {
    return stages.getOrDefault(stage, new StageUse(Map.of(), 0));
  }

  /** Returns the growth since {@code earlier}, a snapshot of the same end. */
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
