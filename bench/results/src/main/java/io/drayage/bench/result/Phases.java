package io.drayage.bench.result;

import io.drayage.bench.child.ControlMessages.Loaded;
import io.drayage.bench.child.ControlMessages.StepTimes;
import io.drayage.bench.statistics.Medians;
import io.drayage.send.SendReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The phases of one commit, in seconds by the worker's clock, except for three steps that only the
 * transactor sees. The phases follow each other without a gap. A phase that a system does not have
 * is null.
 *
 * @param requestS until the transactor has accepted the shipment
 * @param convertS making the cargo of the transaction
 * @param serializeS until the last segment or chunk was made
 * @param drainS until the last frame was handed to the wire
 * @param decodeS until the transactor has reported that it received the cargo, decoded and verified
 * @param applyS until the transactor has reported that the cargo took effect
 * @param snapshotS writing the snapshot's entry of the log, when it is uploaded: stored
 * @param uploadS until all of the snapshot is in the object store, from when it was applied; the
 *     upload itself begins with the first frame
 * @param publishS until the worker has seen the new timestamp
 * @param loadS until the worker has loaded the snapshot
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
  /** The phases of a run that failed. */
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

  /** The phases of a shipment that ended when the cargo was received. */
  static Phases ofReceived(SendReport report) {
    return new Phases(
        null,
        null,
        seconds(report.serializeNs()),
        null,
        seconds(report.decodeNs()),
        null,
        null,
        null,
        null,
        null);
  }

  /**
   * Returns the phases of a whole commit. Publishing begins after the transactor's last step, and
   * ends when the worker is notified. The request includes finding the primary. The transactor may
   * begin its steps before the worker is notified that the cargo was received. That time counts as
   * decoding.
   */
  static Phases of(SendReport report, StepTimes steps, Loaded loaded) {
    long stored = steps.applyNs() + steps.uploadNs() + steps.logNs();
    long receivedToSeenNs = report.applyNs() + loaded.publishNs();
    long sqNs = report.serializeNs() + report.drainNs() + report.decodeNs();
    long earlyNs = Math.max(0, stored - receivedToSeenNs);
    long earlyApplyNs = Math.min(earlyNs, steps.applyNs());
    return new Phases(
        seconds(loaded.totalNs() - loaded.loadNs() - receivedToSeenNs - sqNs),
        null,
        seconds(report.serializeNs()),
        seconds(report.drainNs()),
        seconds(report.decodeNs()),
        seconds(steps.applyNs() - earlyApplyNs),
        seconds(steps.logNs()),
        seconds(Math.max(0, steps.uploadNs() - (earlyNs - earlyApplyNs))),
        seconds(Math.max(0, receivedToSeenNs - stored)),
        seconds(loaded.loadNs()));
  }

  /** Returns the medians, phase by phase, over the runs that have the phase. */
  static Phases medians(List<Phases> all) {
    return new Phases(
        Medians.of(all, Phases::requestS),
        Medians.of(all, Phases::convertS),
        Medians.of(all, Phases::serializeS),
        Medians.of(all, Phases::drainS),
        Medians.of(all, Phases::decodeS),
        Medians.of(all, Phases::applyS),
        Medians.of(all, Phases::snapshotS),
        Medians.of(all, Phases::uploadS),
        Medians.of(all, Phases::publishS),
        Medians.of(all, Phases::loadS));
  }

  /** Returns the existing phases by their names, in the order of a commit. */
  public Map<String, Double> byName() {
    Map<String, Double> phases = new LinkedHashMap<>();
    put(phases, "request", requestS);
    put(phases, "convert", convertS);
    put(phases, "serialize", serializeS);
    put(phases, "drain", drainS);
    put(phases, "decode", decodeS);
    put(phases, "apply", applyS);
    put(phases, "upload", uploadS);
    put(phases, "snapshot", snapshotS);
    put(phases, "publish", publishS);
    put(phases, "load", loadS);
    return phases;
  }

  private static void put(Map<String, Double> phases, String name, @Nullable Double seconds) {
    if (seconds != null) {
      phases.put(name, seconds);
    }
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }
}
