package io.drayage.bench.progress;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.system.Contender;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what the rig reports, group after group, into one line per step. */
public final class RunProgress implements RigListener {
  private final StepDisplay display;
  private final int steps;
  private int stepsDone;

  /**
   * @param steps those of all groups, or more than there will be
   */
  public RunProgress(StepDisplay display, int steps) {
    this.display = display;
    this.steps = steps;
  }

  @Override
  public void prepared(Contender contender, @Nullable String problem) {
    step(contender + (problem == null ? " is ready" : " is NOT READY, " + problem));
  }

  @Override
  public void ran(Contender contender, Turn turn, Run run) {
    String outcome =
        run.status() == Status.FAILED
            ? "FAILED, " + run.error()
            : String.format(
                Locale.ROOT, "S+Q %.3f s, %.0f MB/s", run.sqS(), run.megabytesPerSecond());
    step("%s %s: %s".formatted(contender, turn, outcome));
  }

  private void step(String text) {
    stepsDone++;
    display.step(Math.min(stepsDone, steps), steps, text);
  }
}
