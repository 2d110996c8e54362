package io.drayage.bench.progress;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.GroupedPlan;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what the rig reports, group after group, into one line per step. Not thread-safe. */
public final class RunProgress implements RigListener {
  private static final double NANOS_PER_S = 1e9;

  private final StepDisplay display;
  private final int steps;

  /** 0 if they are not known, and so the time left is not. */
  private final int turns;

  private int stepsDone;
  private int turnsDone;
  private long turnsNs;
  private long lastNs;

  /**
   * Without the time left.
   *
   * @param steps those of all groups, or more than there will be
   */
  public RunProgress(StepDisplay display, int steps) {
    this(display, steps, 0);
  }

  private RunProgress(StepDisplay display, int steps, int turns) {
    this.display = display;
    this.steps = steps;
    this.turns = turns;
  }

  /**
   * Runs a plan and shows its progress on standard error, with the time left.
   *
   * @param task names the plan, in a word
   * @return as {@link GroupedPlan#run}
   */
  public static Measurement show(
      String task, GroupedPlan plan, ResultFolder folder, PrintWriter err)
      throws IOException, InterruptedException {
    try (StepDisplay display = StepDisplay.onStandardError(task, plan.steps(), err)) {
      return plan.run(folder, new RunProgress(display, plan.steps(), plan.turnCount()));
    }
  }

  @Override
  public void prepared(Contender contender, @Nullable String problem) {
    lastNs = System.nanoTime();
    step(contender + (problem == null ? " is ready" : " is NOT READY, " + problem));
  }

  @Override
  public void warmed(Contender contender, Warmth warmth) {
    lastNs = System.nanoTime();
    step(contender + (warmth.reason() == null ? " is warm" : " is not warm: " + warmth.reason()));
  }

  @Override
  public void ran(Contender contender, Turn turn, Run run) {
    turnsDone++;
    turnsNs += System.nanoTime() - lastNs;
    lastNs = System.nanoTime();
    step("%s %s: %s%s".formatted(contender, turn, outcome(run), timeLeft()));
  }

  @Override
  public void progressed(Contender contender, String text) {
    display.step(Math.min(stepsDone, steps), steps, contender + " " + text);
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
    double leftS = turnsNs / NANOS_PER_S / turnsDone * (turns - turnsDone);
    return turnsDone >= turns ? "" : String.format(Locale.ROOT, ", about %.0f s left", leftS);
  }

  private void step(String text) {
    stepsDone++;
    display.step(Math.min(stepsDone, steps), steps, text);
  }
}
