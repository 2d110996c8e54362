package io.drayage.cli.compare;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what the rig reports into one line per step, with the time left. */
final class Progress implements RigListener {
  private static final double NANOS_PER_S = 1e9;

  private final int iterations;
  private final StepDisplay display;
  private final int steps;
  private final int turns;
  private int stepsDone;
  private int turnsDone;
  private long turnsNs;
  private long lastNs;

  /**
   * @param plans one for each group, which follow each other
   */
  Progress(List<RigPlan> plans, StepDisplay display) {
    this.iterations = plans.get(0).iterations();
    this.display = display;
    this.steps = plans.stream().mapToInt(RigPlan::steps).sum();
    this.turns = steps - plans.stream().mapToInt(plan -> plan.contenders().size()).sum();
  }

  @Override
  public void prepared(Contender contender, @Nullable String problem) {
    lastNs = System.nanoTime();
    step(contender + (problem == null ? " is ready" : " is NOT READY, " + problem));
  }

  @Override
  public void ran(Contender contender, Turn turn, Run run) {
    turnsDone++;
    turnsNs += System.nanoTime() - lastNs;
    lastNs = System.nanoTime();
    String of = turn.warmup() ? "" : " of " + iterations;
    step("%s %s%s: %s%s".formatted(contender, turn, of, outcome(run), timeLeft()));
  }

  @Override
  public void progressed(Contender contender, String text) {
    display.step(stepsDone, steps, contender + " " + text);
  }

  private static String outcome(Run run) {
    return run.status() == Status.FAILED
        ? "FAILED, " + run.error()
        : String.format(
            Locale.ROOT,
            "S+Q %.3f s%s, %.0f MB/s",
            run.sqS(),
            run.commitS() == null
                ? ""
                : String.format(Locale.ROOT, ", commit %.3f s", run.commitS()),
            run.megabytesPerSecond());
  }

  /** By the mean of the turns so far: they alternate, so it soon covers every system. */
  private String timeLeft() {
    double perTurnS = turnsNs / NANOS_PER_S / turnsDone;
    double leftS = perTurnS * (turns - turnsDone);
    return turnsDone == turns ? "" : String.format(Locale.ROOT, ", about %.0f s left", leftS);
  }

  private void step(String text) {
    stepsDone++;
    display.step(stepsDone, steps, text);
  }
}
