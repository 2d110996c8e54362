package io.drayage.metrics;

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
 * @param shipments what became of the shipments
 * @param stages the processor time of the threads, for every stage
 */
public record MetricsSnapshot(
    long atNs,
    CodecSnapshot encode,
    CodecSnapshot decode,
    OutboundSnapshot outbound,
    ShipmentsSnapshot shipments,
    Map<Stage, StageUse> stages) {
  public MetricsSnapshot {
    stages = Map.copyOf(stages);
  }

  /** The use of one stage. */
  public StageUse stage(Stage stage) {
    return stages.getOrDefault(stage, new StageUse(Map.of(), 0));
  }

  /** What happened since {@code earlier}, a snapshot of the same end. */
  public MetricsSnapshot minus(MetricsSnapshot earlier) {
    Map<Stage, StageUse> uses = new EnumMap<>(Stage.class);
    stages.forEach((stage, use) -> uses.put(stage, use.minus(earlier.stage(stage))));
    return new MetricsSnapshot(
        atNs - earlier.atNs,
        encode.minus(earlier.encode),
        decode.minus(earlier.decode),
        outbound.minus(earlier.outbound),
        shipments.minus(earlier.shipments),
        uses);
  }
}
