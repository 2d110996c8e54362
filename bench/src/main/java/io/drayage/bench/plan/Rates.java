package io.drayage.bench.plan;

import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.child.StageLoad;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.system.SystemUnderTest;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a system costs, measured with one codec thread on either side. All but the last two are
 * seconds of processor time for each GB (10^9) of raw bytes.
 *
 * @param system its notation, with {@code @1} if it has segments
 * @param link what it encoded for; null if it does the same for every link
 * @param encodeS the worker's codec threads, or the thread that serializes
 * @param sendS the worker's event loop, or the thread that sends
 * @param receiveS the transactor's event loop
 * @param decodeS the transactor's codec threads, or the thread that deserializes
 * @param workerS all of the worker, garbage collector and compiler included
 * @param transactorS the same of the transactor
 * @param wireShare bytes of frames for each raw byte
 * @param slack how many times as long as its slowest part a shipment took: what the parts wait for
 *     each other
 */
record Rates(
    String system,
    @Nullable String link,
    double encodeS,
    double sendS,
    double receiveS,
    double decodeS,
    double workerS,
    double transactorS,
    double wireShare,
    double slack) {
  private static final double GB = 1e9;

  /** Whether what a system costs depends on the link that it is told. */
  static boolean followTheLink(SystemUnderTest system) {
    return system.serializer().equals("columnar");
  }

  /**
   * From measured runs over loopback with both ends on this machine.
   *
   * @param link what the system was told; null if that is all the same to it
   * @param cores of this machine
   * @throws IllegalStateException if none went well
   */
  static Rates of(String system, @Nullable String link, List<Run> all, int cores) {
    List<Run> runs = all.stream().filter(run -> run.status() == Status.OK).toList();
    if (runs.isEmpty()) {
      throw new IllegalStateException("%s: no run went well".formatted(system));
    }
    Rates parts =
        new Rates(
            system,
            link,
            perGb(runs, run -> stageS(run.worker(), "encode")),
            perGb(runs, run -> stageS(run.worker(), "send")),
            perGb(runs, run -> stageS(run.transactor(), "receive")),
            perGb(runs, run -> stageS(run.transactor(), "decode")),
            perGb(runs, run -> Objects.requireNonNull(run.worker()).cpuS()),
            perGb(runs, run -> Objects.requireNonNull(run.transactor()).cpuS()),
            median(runs, run -> (double) required(run.wireBytes()) / required(run.rawBytes())),
            1);
    double sqS = perGb(runs, Run::sqS);
    Hosts here = new Hosts(cores, 1, 1, true);
    double slowestS = Model.predict(parts, here, null, GB).seconds();
    return new Rates(
        system,
        link,
        parts.encodeS,
        parts.sendS,
        parts.receiveS,
        parts.decodeS,
        parts.workerS,
        parts.transactorS,
        parts.wireShare,
        Math.max(1, sqS / slowestS));
  }

  private static double stageS(@Nullable ProcessCost process, String stage) {
    StageLoad load = Objects.requireNonNull(process).stages().get(stage);
    return load == null ? 0 : load.cpuS();
  }

  private static long required(@Nullable Long value) {
    return Objects.requireNonNull(value);
  }

  private static double perGb(List<Run> runs, Function<Run, @Nullable Double> seconds) {
    return median(
        runs, run -> Objects.requireNonNull(seconds.apply(run)) * GB / required(run.rawBytes()));
  }

  private static double median(List<Run> runs, Function<Run, Double> figure) {
    return Objects.requireNonNull(Medians.of(runs, figure));
  }
}
