package io.drayage.bench.result;

import io.drayage.bench.child.ProcessCost;
import io.drayage.pipeline.SendReport;
import org.jspecify.annotations.Nullable;

/**
 * What one worker's cargo took in one iteration.
 *
 * @param rawBytes raw bytes of the cargo
 * @param report how it was shipped
 * @param commit what came after that; null if the cargo only had to take effect
 * @param worker what that cost the worker
 * @param sentDigest of the cargo
 * @param appliedDigest of what took effect at the transactor
 * @param mismatch what is wrong with the worker's own copy; null if nothing is, or it has none
 */
public record Shipment(
    long rawBytes,
    SendReport report,
    @Nullable CommitSteps commit,
    ProcessCost worker,
    long sentDigest,
    long appliedDigest,
    @Nullable String mismatch) {

  /** Nanoseconds from the start of serialization until the transactor held the cargo. */
  long sqNs() {
    return report.serializeNs() + report.drainNs() + report.decodeNs();
  }

  /** Nanoseconds of the whole commit, or until the cargo took effect. */
  long commitNs() {
    return commit == null ? report.requestNs() + sqNs() + report.applyNs() : commit.totalNs();
  }

  Phases phases() {
    return commit == null ? Phases.of(report) : Phases.of(report, commit);
  }

  /** What is wrong with what arrived; null if nothing is. */
  @Nullable String problem() {
    if (sentDigest != appliedDigest) {
      return "the transactor applied a cargo of digest %016x, the worker sent %016x"
          .formatted(appliedDigest, sentDigest);
    }
    return mismatch;
  }
}
