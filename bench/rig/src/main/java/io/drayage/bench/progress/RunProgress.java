package io.drayage.bench.progress;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Verdict;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.GroupedPlan;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one line per step of the rig's events, group after group. Not thread-safe. */
public final class RunProgress implements RigListener {
  private static final double NANOS_PER_S = 1e9;

  private final StepDisplay display;
  private final int steps;

  /** The plan; null if it is no comparison, so that neither the time left nor ratios are known. */
  private final @Nullable GroupedPlan plan;

  /** The system with which the others are compared. */
  private final String baseline;

  /** Number of steps if they are the seconds of the budget; 0 without a budget. */
  private final int budgetS;

  private final List<Run> measured = new ArrayList<>();

  /** Reason of the last shown failure, by system. */
  private final Map<String, String> told = new HashMap<>();

  private final long startNs = System.nanoTime();
  private int stepsDone;
  private int turnsDone;
  private long turnsNs;
  private long lastNs = startNs;

  /**
   * Makes a progress without the time left.
   *
   * @param steps the number of steps of all groups, or an upper bound
   */
  public RunProgress(StepDisplay display, int steps) {
    this(display, steps, null, "", 0);
  }

  private RunProgress(
      StepDisplay display, int steps, @Nullable GroupedPlan plan, String baseline, int budgetS) {
    this.display = display;
    this.steps = steps;
    this.plan = plan;
    this.baseline = baseline;
    this.budgetS = budgetS;
  }

  /**
   * Runs a plan and shows its progress on standard error, with the time left and the ratios so far.
   *
   * @param task names the plan, in a word
   * @param baseline the system with which the others are compared
   * @param groupsBefore as in {@link GroupedPlan#run}, whose result this returns
   */
  public static Measurement show(
      String task,
      GroupedPlan plan,
      String baseline,
      ResultFolder folder,
      int groupsBefore,
      PrintWriter err)
      throws IOException, InterruptedException {
    int budgetS = plan.turns().secondsLeft();
    int steps = budgetS == 0 ? plan.steps() : budgetS;
    try (StepDisplay display = StepDisplay.onStandardError(task, steps, err)) {
      return plan.run(
          folder, groupsBefore, new RunProgress(display, steps, plan, baseline, budgetS));
    }
  }

  @Override
  public void prepared(Contender contender, @Nullable String problem) {
    lastNs = System.nanoTime();
    if (problem != null) {
      told.put(contender.name(), problem);
    }
    step(contender + (problem == null ? " is ready" : " is NOT READY, " + problem));
  }

  @Override
  public void warmed(Contender contender, Warmth warmth) {
    lastNs = System.nanoTime();
    step(
        contender
            + (warmth.reason() == null ? " is warm" : " is not warm yet: " + warmth.reason()));
  }

  @Override
  public void warming(List<String> cold) {
    show("warming up until all are warm, waits for " + String.join(", ", cold));
  }

  @Override
  public void ran(Contender contender, Turn turn, Run run) {
    long tookNs = System.nanoTime() - lastNs;
    lastNs = System.nanoTime();
    if (!turn.warmup()) {
      measured.add(run);
    }
    if (turn.warmup() && isWarmedUntilItShows()) { // Their number is not known.
      show("%s %s: %s".formatted(contender, turn, outcome(run)));
      return;
    }
    turnsDone++;
    turnsNs += tookNs;
    step("%s %s: %s%s".formatted(contender, turn, outcome(run), timeLeft()));
  }

  private boolean isWarmedUntilItShows() {
    return plan != null && budgetS == 0 && plan.turns().warmup() == null;
  }

  private String outcome(Run run) {
    if (run.status() == Status.FAILED) {
      String error = String.valueOf(run.error());
      String before = told.put(run.system(), error);
      return before != null && error.contains(before) ? "FAILED, as before" : "FAILED, " + error;
    }
    String ratio = plan == null ? "" : Verdict.running(run.system(), baseline, measured);
    return format(
        "S+Q %.3f s%s%s%s",
        run.sqS(),
        run.commitS() == null ? "" : format(", commit %.3f s", run.commitS()),
        ratio.isEmpty() ? "" : ", so far " + ratio,
        run.disturbed() ? ", DISTURBED" : "");
  }

  /** Estimates by the mean of the turns so far; they alternate, so it soon covers every system. */
  private String timeLeft() {
    if (budgetS > 0) {
      int leftS = budgetS - elapsedS();
      return leftS > 0
          ? format(", at most %d s left", leftS)
          : format("; the time is up, but each takes at least %d turns", Interval.MIN_TURNS);
    }
    int turnsLeft = plan == null ? 0 : plan.turnCount() - turnsDone;
    double leftS = turnsNs / NANOS_PER_S / turnsDone * turnsLeft;
    return turnsLeft <= 0 ? "" : format(", about %.0f s left", leftS);
  }

  private int elapsedS() {
    return (int) Math.min(budgetS, (System.nanoTime() - startNs) / NANOS_PER_S);
  }

  private void step(String text) {
    stepsDone++;
    show(text);
  }

  private void show(String text) {
    display.step(budgetS > 0 ? elapsedS() : Math.min(stepsDone, steps), steps, text);
  }
}
