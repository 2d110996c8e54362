package io.drayage.bench.result;

import io.drayage.pipeline.SendReport;
import org.jspecify.annotations.Nullable;

/**
 * One measured iteration of one system, or one that failed. Jackson writes it as it is; what was
 * not measured is null.
 *
 * @param system the system's notation
 * @param iteration from 1; 0 for a warm-up, which is listed only if it failed
 * @param status {@link Status#OK} if the cargo took effect and the digests were equal
 * @param rawBytes raw bytes of the cargo
 * @param wireBytes bytes of all frames sent, headers included
 * @param digestOk whether what the transactor applied is what the worker sent
 * @param phases where the time went
 * @param sqS seconds from the start of serialization until the transactor has said that it holds
 *     the cargo
 * @param commitS seconds from the request until the cargo took effect
 * @param workerPeakBytes the most heap and direct memory that the worker used during the shipment
 * @param transactorPeakBytes the same of the transactor
 * @param cpuS processor time of both processes
 * @param workerBeyondCargoBytes the worker's peak without what it used right before the iteration,
 *     which includes the cargo
 * @param transactorBeyondCargoBytes the transactor's peak without what it used right before the
 *     iteration and, unless it was streamed, without the raw bytes of the cargo. Negative if the
 *     cargo takes less than its raw bytes: Java serialization keeps arrays shared that columns
 *     share, as row ids often are
 * @param frames segments or chunks sent
 * @param worker what the iteration cost the worker
 * @param transactor what it cost the transactor
 * @param utilisation how busy the stages were
 * @param error why it failed
 */
public record Run(
    String system,
    int iteration,
    Status status,
    @Nullable Long rawBytes,
    @Nullable Long wireBytes,
    @Nullable Boolean digestOk,
    Phases phases,
    @Nullable Double sqS,
    @Nullable Double commitS,
    @Nullable Long workerPeakBytes,
    @Nullable Long transactorPeakBytes,
    @Nullable Double cpuS,
    @Nullable Long workerBeyondCargoBytes,
    @Nullable Long transactorBeyondCargoBytes,
    @Nullable Long frames,
    @Nullable ProcessCost worker,
    @Nullable ProcessCost transactor,
    @Nullable Utilisation utilisation,
    @Nullable String error) {
  private static final double NANOS_PER_S = 1e9;

  /**
   * A run in which the cargo took effect; it failed all the same if the digests differ.
   *
   * @param cargoInMemory whether the transactor's peak includes the cargo
   */
  public static Run completed(
      String system,
      int iteration,
      long rawBytes,
      SendReport report,
      ProcessCost worker,
      ProcessCost transactor,
      long sentDigest,
      long appliedDigest,
      boolean cargoInMemory) {
    long sqNs = report.serializeNs() + report.drainNs() + report.decodeNs();
    boolean digestOk = sentDigest == appliedDigest;
    return new Run(
        system,
        iteration,
        digestOk ? Status.OK : Status.FAILED,
        rawBytes,
        report.wireBytes(),
        digestOk,
        Phases.of(report),
        sqNs / NANOS_PER_S,
        (report.requestNs() + sqNs + report.applyNs()) / NANOS_PER_S,
        worker.peakBytes(),
        transactor.peakBytes(),
        worker.cpuS() + transactor.cpuS(),
        worker.peakBytes() - worker.usedBeforeBytes(),
        transactor.peakBytes() - transactor.usedBeforeBytes() - (cargoInMemory ? rawBytes : 0),
        report.frames(),
        worker,
        transactor,
        Utilisation.of(worker, transactor, sqNs / NANOS_PER_S),
        digestOk
            ? null
            : "the transactor applied a cargo of digest %016x, the worker sent %016x"
                .formatted(appliedDigest, sentDigest));
  }

  /** A run without a result. */
  public static Run failed(String system, int iteration, String error) {
    return new Run(
        system,
        iteration,
        Status.FAILED,
        null,
        null,
        null,
        Phases.NONE,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        error);
  }

  /** Raw bytes per second of S+Q, in MB/s; null if the run has no result. */
  public @Nullable Double megabytesPerSecond() {
    return rawBytes == null || sqS == null ? null : rawBytes / sqS / 1e6;
  }
}
