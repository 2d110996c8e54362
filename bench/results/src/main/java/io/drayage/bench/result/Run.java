package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One measured or failed iteration of one system. Jackson writes it unchanged; null is not
 * measured.
 *
 * @param system the system's notation
 * @param iteration from 1; 0 for a warm-up, which is listed only if it failed
 * @param status {@link Status#OK} if the cargo took effect and the digests were equal
 * @param rawBytes raw bytes of the cargo
 * @param wireBytes bytes of all frames sent, headers included
 * @param digestOk whether the transactor applied the worker's cargo
 * @param phases the times of the phases
 * @param sqS seconds from the start of serialization until the transactor has reported that it
 *     received the cargo
 * @param commitS seconds from the request until the worker has loaded the snapshot, or until the
 *     cargo took effect if only that is measured; null for a peer, which commits nothing
 * @param cost memory and CPU time
 * @param frames number of segments or chunks sent
 * @param downloadedCommitS seconds of the commit if the worker downloads the snapshot, as
 *     published: {@code commitS} if it did. Else a download after the commit replaces the time of
 *     applying the worker's own cargo; null if there was none
 * @param error the reason of the failure
 * @param group the number of the group of systems that ran alternately with this one, from 1
 * @param launch the number of the start of the system's processes, from 1; null if there was one
 * @param warm whether those processes were warm, by all their turns; null if not watched
 * @param othersPercent the part of all cores that other processes and the hypervisor used, in
 *     percent
 * @param disturbed whether {@code othersPercent} is so large that the turn is better left out
 * @param workers one entry per worker if there are several: bytes, frames and CPU time are then
 *     sums, times and memory are the maximum of all workers
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
    @JsonUnwrapped Cost cost,
    @Nullable Long frames,
    @Nullable Double downloadedCommitS,
    @Nullable String error,
    @Nullable Integer group,
    @Nullable Integer launch,
    @Nullable Boolean warm,
    @Nullable Double othersPercent,
    boolean disturbed,
    @Nullable List<WorkerRun> workers) {
  /**
   * The use of the machine.
   *
   * @param workerPeakBytes peak of the worker's heap and direct memory during the shipment
   * @param transactorPeakBytes the transactor's peak
   * @param cpuS CPU time of both processes
   * @param workerBeyondCargoBytes the worker's peak less its use right before the iteration, which
   *     includes the cargo
   * @param transactorBeyondCargoBytes the transactor's peak less its use right before the iteration
   *     and, unless the cargo was streamed, less its raw bytes. Negative if the cargo needs less:
   *     Java serialization keeps arrays shared that columns share, as row ids often are
   * @param worker details of the worker
   * @param transactor details of the transactor
   * @param utilisation the utilisation of the stages
   * @param jitShare the compiler threads' part of the CPU time of both processes, 0 to 1
   */
  public record Cost(
      @Nullable Long workerPeakBytes,
      @Nullable Long transactorPeakBytes,
      @Nullable Double cpuS,
      @Nullable Long workerBeyondCargoBytes,
      @Nullable Long transactorBeyondCargoBytes,
      @Nullable ProcessCost worker,
      @Nullable ProcessCost transactor,
      @Nullable Utilisation utilisation,
      @Nullable Double jitShare) {
    private static final Cost NONE = new Cost(null, null, null, null, null, null, null, null, null);
  }

  /**
   * Makes a run in which all cargoes took effect; it failed nevertheless if digests differ.
   *
   * @param shipments one per worker
   */
  public static Run completed(
      String system, int iteration, List<MeasuredShipment> shipments, ProcessCost transactor) {
    MeasuredShipment slowest =
        shipments.stream().max(Comparator.comparing(MeasuredShipment::totalNs)).orElseThrow();
    long rawBytes = shipments.stream().mapToLong(MeasuredShipment::rawBytes).sum();
    long wireBytes = shipments.stream().mapToLong(one -> one.report().wireBytes()).sum();
    double sqS = shipments.stream().mapToLong(MeasuredShipment::sqNs).max().orElseThrow() / 1e9;
    double workersCpuS = shipments.stream().mapToDouble(one -> one.worker().cpuS()).sum();
    String problem =
        shipments.stream()
            .map(MeasuredShipment::problem)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    ProcessCost worker = slowest.worker();
    return new Run(
        system,
        iteration,
        problem == null ? Status.OK : Status.FAILED,
        rawBytes,
        wireBytes,
        problem == null,
        slowest.phases(),
        sqS,
        slowest.commitS(),
        new Cost(
            worker.peakBytes(),
            transactor.peakBytes(),
            workersCpuS + transactor.cpuS(),
            worker.peakBytes() - worker.usedBeforeBytes(),
            transactor.peakBytes() - transactor.usedBeforeBytes() - rawBytes,
            worker,
            transactor,
            Utilisation.of(worker, transactor, sqS),
            jitShare(shipments, transactor)),
        shipments.stream().mapToLong(shipment -> shipment.report().frames()).sum(),
        slowest.downloadedCommitS(),
        problem,
        null,
        null,
        null,
        null,
        false,
        shipments.size() == 1 ? null : workerRuns(shipments));
  }

  private static double jitShare(List<MeasuredShipment> shipments, ProcessCost transactor) {
    double cpuS = transactor.sqCpuS();
    double jitS = transactor.sqJitS();
    for (MeasuredShipment one : shipments) {
      cpuS += one.worker().sqCpuS();
      jitS += one.worker().sqJitS();
    }
    return cpuS == 0 ? 0 : jitS / cpuS;
  }

  private static List<WorkerRun> workerRuns(List<MeasuredShipment> shipments) {
    List<WorkerRun> runs = new ArrayList<>();
    shipments.forEach(shipment -> runs.add(WorkerRun.of(runs.size() + 1, shipment)));
    return List.copyOf(runs);
  }

  /** Makes a run without a result. */
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
        Cost.NONE,
        null,
        null,
        error,
        null,
        null,
        null,
        null,
        false,
        null);
  }

  public @Nullable Double cpuS() {
    return cost.cpuS;
  }

  /** Raw bytes per second of S+Q, in MB/s; null if the run has no result. */
  public @Nullable Double megabytesPerSecond() {
    return rawBytes == null || sqS == null ? null : (Double) (rawBytes / sqS / 1e6);
  }

  public @Nullable Double jitShare() {
    return cost.jitShare;
  }

  /** Returns the turns that succeeded, without disturbed ones if enough others remain. */
  public static List<Run> counted(List<Run> runs) {
    List<Run> ok = runs.stream().filter(run -> run.status() == Status.OK).toList();
    List<Run> quiet = ok.stream().filter(run -> !run.disturbed()).toList();
    return quiet.size() >= Interval.MIN_TURNS ? quiet : ok;
  }

  /** Sets the group in which it ran. */
  public Run inGroup(int number) {
    return with(iteration, number, launch, warm, othersPercent, disturbed);
  }

  /**
   * Sets the start of the processes.
   *
   * @param number from 1
   * @param before iterations of earlier starts, which are added; a warm-up stays 0
   */
  public Run inLaunch(int number, int before) {
    int counted = iteration == 0 ? 0 : iteration + before;
    return with(counted, group, number, warm, othersPercent, disturbed);
  }

  /** Sets whether its processes were warm. */
  public Run withWarm(@Nullable Boolean isWarm) {
    return with(iteration, group, launch, isWarm, othersPercent, disturbed);
  }

  /** Sets the part of all cores that others used, and whether this disturbed the turn. */
  public Run withOthers(double percent, boolean isDisturbed) {
    return with(iteration, group, launch, warm, percent, isDisturbed);
  }

  private Run with(
      int newIteration,
      @Nullable Integer newGroup,
      @Nullable Integer newLaunch,
      @Nullable Boolean isWarm,
      @Nullable Double percent,
      boolean isDisturbed) {
    return new Run(
        system,
        newIteration,
        status,
        rawBytes,
        wireBytes,
        digestOk,
        phases,
        sqS,
        commitS,
        cost,
        frames,
        downloadedCommitS,
        error,
        newGroup,
        newLaunch,
        isWarm,
        percent,
        isDisturbed,
        workers);
  }
}
