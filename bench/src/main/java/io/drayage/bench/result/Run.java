package io.drayage.bench.result;

import io.drayage.bench.child.ProcessCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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
 * @param commitS seconds from the request until the worker has loaded the snapshot; until the cargo
 *     took effect, if that is all that is measured; null for a peer, which commits nothing
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
 * @param group the number of the group of systems that took turns with this one, from 1
 * @param diskS seconds in which the disk took {@code wireBytes} with fsync, right after the
 *     iteration; if whole commits are measured
 * @param workers what each worker's cargo took, if there are several: then bytes, frames and
 *     processor time are of all, times and what else is one worker's those of the slowest
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
    @Nullable String error,
    @Nullable Integer group,
    @Nullable Double diskS,
    @Nullable List<WorkerRun> workers) {
  private static final double NANOS_PER_S = 1e9;

  /**
   * A run in which all cargoes took effect; it failed all the same if digests differ.
   *
   * @param shipments one for each worker
   * @param cargoInMemory whether the transactor's peak includes the cargoes
   */
  public static Run completed(
      String system,
      int iteration,
      List<Shipment> shipments,
      ProcessCost transactor,
      boolean cargoInMemory) {
    Shipment slowest =
        shipments.stream().max(Comparator.comparing(Shipment::totalNs)).orElseThrow();
    long rawBytes = shipments.stream().mapToLong(Shipment::rawBytes).sum();
    double sqS = shipments.stream().mapToLong(Shipment::sqNs).max().orElseThrow() / NANOS_PER_S;
    String problem =
        shipments.stream().map(Shipment::problem).filter(Objects::nonNull).findFirst().orElse(null);
    ProcessCost worker = slowest.worker();
    return new Run(
        system,
        iteration,
        problem == null ? Status.OK : Status.FAILED,
        rawBytes,
        shipments.stream().mapToLong(shipment -> shipment.report().wireBytes()).sum(),
        problem == null,
        slowest.phases(),
        sqS,
        slowest.commitS(),
        worker.peakBytes(),
        transactor.peakBytes(),
        shipments.stream().mapToDouble(shipment -> shipment.worker().cpuS()).sum()
            + transactor.cpuS(),
        worker.peakBytes() - worker.usedBeforeBytes(),
        transactor.peakBytes() - transactor.usedBeforeBytes() - (cargoInMemory ? rawBytes : 0),
        shipments.stream().mapToLong(shipment -> shipment.report().frames()).sum(),
        worker,
        transactor,
        Utilisation.of(worker, transactor, sqS),
        problem,
        null,
        null,
        shipments.size() == 1 ? null : workerRuns(shipments));
  }

  private static List<WorkerRun> workerRuns(List<Shipment> shipments) {
    List<WorkerRun> runs = new ArrayList<>();
    shipments.forEach(shipment -> runs.add(WorkerRun.of(runs.size() + 1, shipment)));
    return List.copyOf(runs);
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
        error,
        null,
        null,
        null);
  }

  /** Raw bytes per second of S+Q, in MB/s; null if the run has no result. */
  public @Nullable Double megabytesPerSecond() {
    return rawBytes == null || sqS == null ? null : rawBytes / sqS / 1e6;
  }

  /** The same with the group in which it ran. */
  public Run inGroup(int number) {
    return with(number, diskS);
  }

  /** The same with what the disk took. */
  public Run withDiskS(double seconds) {
    return with(group, seconds);
  }

  private Run with(@Nullable Integer newGroup, @Nullable Double newDiskS) {
    return new Run(
        system,
        iteration,
        status,
        rawBytes,
        wireBytes,
        digestOk,
        phases,
        sqS,
        commitS,
        workerPeakBytes,
        transactorPeakBytes,
        cpuS,
        workerBeyondCargoBytes,
        transactorBeyondCargoBytes,
        frames,
        worker,
        transactor,
        utilisation,
        error,
        newGroup,
        newDiskS,
        workers);
  }
}
