package io.drayage.bench.result;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Loaded;
import io.drayage.bench.child.ControlMessages.StepTimes;
import io.drayage.bench.child.ProcessCost;
import io.drayage.send.SendReport;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one worker's cargo in one iteration.
 *
 * @param rawBytes raw bytes of the cargo
 * @param report the worker's report of the shipment
 * @param steps the later steps in the transactor; null if the cargo only had to take effect
 * @param loaded the later steps in the worker; null if the cargo only had to take effect
 * @param worker the cost for the worker
 * @param sentDigest of the cargo
 * @param appliedDigest of the effect at the transactor
 * @param mismatch the error of the worker's own replica; null if there is no error, or no replica
 * @param receivedOnly whether the shipment ended when the cargo was received. Then nothing was
 *     committed, and the only phases are serialization and decoding
 */
public record MeasuredShipment(
    long rawBytes,
    SendReport report,
    @Nullable StepTimes steps,
    @Nullable Loaded loaded,
    ProcessCost worker,
    long sentDigest,
    long appliedDigest,
    @Nullable String mismatch,
    boolean receivedOnly) {

  /** Nanoseconds from the start of serialization until the transactor had received the cargo. */
  long sqNs() {
    return report.serializeNs() + report.drainNs() + report.decodeNs();
  }

  /** Nanoseconds of the whole commit, until the cargo took effect, or until it was received. */
  long totalNs() {
    return loaded == null ? report.requestNs() + sqNs() + report.applyNs() : loaded.totalNs();
  }

  /** Returns the seconds of the commit; null if there was none. */
  @Nullable Double commitS() {
    return receivedOnly ? null : (Double) (totalNs() / 1e9);
  }

  /** Returns the seconds of the commit with a download of the snapshot; null if there was none. */
  @Nullable Double downloadedCommitS() {
    Long downloadNs = loaded == null ? null : loaded.downloadNs();
    return loaded == null || downloadNs == null
        ? null
        : (Double) ((loaded.totalNs() - loaded.loadNs() + downloadNs) / 1e9);
  }

  Phases phases() {
    if (receivedOnly) {
      return Phases.ofReceived(report);
    }
    return steps == null || loaded == null ? Phases.of(report) : Phases.of(report, steps, loaded);
  }

  /** Returns the error of the cargo that arrived; null if there is none. */
  @Nullable String problem() {
    if (sentDigest != appliedDigest) {
      return format(
          "the transactor applied a cargo of digest %016x, the worker sent %016x",
          appliedDigest, sentDigest);
    }
    return mismatch;
  }
}
