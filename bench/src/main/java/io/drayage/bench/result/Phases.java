package io.drayage.bench.result;

import io.drayage.pipeline.SendReport;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of one commit went, in seconds by the worker's clock. The phases follow each other
 * without a gap. A phase that a system does not have is null.
 *
 * @param requestS until the transactor has taken the shipment
 * @param convertS making the cargo of the transaction
 * @param serializeS until the last segment or chunk was made
 * @param drainS until the last frame was handed to the wire
 * @param decodeS until the transactor has said that it holds the cargo, decoded and verified
 * @param applyS until the transactor has said that the cargo took effect
 * @param snapshotS writing the snapshot
 * @param uploadS uploading it
 * @param publishS moving the timestamp
 * @param loadS loading the snapshot back on the worker
 */
public record Phases(
    @Nullable Double requestS,
    @Nullable Double convertS,
    @Nullable Double serializeS,
    @Nullable Double drainS,
    @Nullable Double decodeS,
    @Nullable Double applyS,
    @Nullable Double snapshotS,
    @Nullable Double uploadS,
    @Nullable Double publishS,
    @Nullable Double loadS) {
  private static final double NANOS_PER_S = 1e9;

  /** Of a run that failed. */
  public static final Phases NONE =
      new Phases(null, null, null, null, null, null, null, null, null, null);

  /** The phases of a shipment into a store in memory. */
  public static Phases of(SendReport report) {
    return new Phases(
        seconds(report.requestNs()),
        null,
        seconds(report.serializeNs()),
        seconds(report.drainNs()),
        seconds(report.decodeNs()),
        seconds(report.applyNs()),
        null,
        null,
        null,
        null);
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_S;
  }
}
