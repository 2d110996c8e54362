package io.drayage.bench.result;

import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.child.StageLoad;
import io.drayage.bench.child.WaitTimes;
import io.drayage.send.SendReport;
import java.util.List;
import java.util.Map;

/** Runs for tests, of a cargo of 100 MB. */
public final class Runs {
  public static final long RAW_BYTES = 100_000_000;

  private static final WaitTimes NO_WAITS = new WaitTimes(0, 0, 0, 0);

  private Runs() {}

  /** Makes a run whose S+Q is {@code sqMs} and whose commit is 100 ms longer. */
  public static Run ok(String system, int iteration, long sqMs) {
    return ok(system, iteration, sqMs, 0.05);
  }

  /** Makes the run with the compiler's part of the CPU time. */
  public static Run ok(String system, int iteration, long sqMs, double jitShare) {
    return of(system, iteration, sqMs, 7, jitShare);
  }

  /** Makes a run in {@code turn} of another system, with these figures. */
  static Run committedIn(Run turn, String system, long sqMs, double commitS) {
    return committedIn(turn, system, sqMs, commitS, turn.phases());
  }

  /** Makes a run of a commit until a snapshot is loaded. */
  static Run wholeCommit(Run turn, String system, long sqMs, double commitS) {
    Phases loaded = new Phases(null, null, null, null, null, null, null, null, null, 0.05);
    return committedIn(turn, system, sqMs, commitS, loaded);
  }

  private static Run committedIn(
      Run turn, String system, long sqMs, double commitS, Phases phases) {
    Run ok = ok(system, turn.iteration(), sqMs);
    return new Run(
        system,
        turn.iteration(),
        Status.OK,
        ok.rawBytes(),
        ok.wireBytes(),
        ok.digestOk(),
        phases,
        ok.sqS(),
        commitS,
        ok.cost(),
        ok.frames(),
        null,
        null,
        null,
        null,
        null,
        null,
        false,
        null);
  }

  /** Makes a run that applied another cargo. */
  public static Run corrupt(String system, int iteration, long sqMs) {
    return of(system, iteration, sqMs, 8, 0.05);
  }

  private static Run of(String system, int iteration, long sqMs, long applied, double jitShare) {
    long ms = 1_000_000;
    SendReport report =
        new SendReport(
            1, RAW_BYTES / 2, 96, 40 * ms, (sqMs - 30) * ms, 10 * ms, 20 * ms, 60 * ms, 0, 0);
    ProcessCost worker =
        new ProcessCost(
            0.5,
            0.0,
            0,
            200_000_000,
            230_000_000,
            Map.of("encode", new StageLoad(0.4, 2), "send", new StageLoad(0.1, 1)),
            NO_WAITS,
            0.5,
            0.5 * jitShare,
            0.05);
    ProcessCost transactor =
        new ProcessCost(
            0.25,
            0.01,
            1,
            50_000_000,
            170_000_000,
            Map.of("decode", new StageLoad(0.05, 1), "commit", new StageLoad(0.02, 1)),
            NO_WAITS,
            0.5,
            0.5 * jitShare,
            0.05);
    MeasuredShipment shipment =
        new MeasuredShipment(RAW_BYTES, report, null, null, worker, 7, applied, null, false);
    return Run.completed(system, iteration, List.of(shipment), transactor);
  }
}
