package io.drayage.bench.profile;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigListener.Turn;
import io.drayage.bench.rig.RigProfiling;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The session of one system. Two pairs of processes are warmed and alternate, and one of them is
 * recorded: with the kernel's frames or, if that costs too much, once more without. Then the other
 * pair runs the experiments. Not thread-safe.
 */
final class SystemSession {
  /** Divisor of the budget for the warm-up of the recorded pair. */
  private static final int RECORDED_WARM_UP = 4;

  /** Divisor of the budget for the warm-up of the other pair. */
  private static final int PLAIN_WARM_UP = 5;

  /** Divisor for each transport before the experiments: most code is warm already. */
  private static final int EXPERIMENT_WARM_UP = 20;

  /** Least budget, also if earlier systems spent the time, unless the whole budget is shorter. */
  private static final Duration MIN_BUDGET = Duration.ofSeconds(15);

  private final ProfilePlan plan;
  private final Contender system;
  private final int number;
  private final RigProfiling profiling;
  private final RigListener listener;
  private final List<Run> runs = new ArrayList<>();
  private final List<Run> recordedRuns = new ArrayList<>();
  private final List<Run> experimentRuns = new ArrayList<>();
  private final List<Experiment> experiments;
  private Duration budget = MIN_BUDGET;
  private long endNs;
  private @Nullable Overhead overhead;

  /**
   * @param number of the session, from 1
   */
  SystemSession(
      ProfilePlan plan,
      Contender system,
      int number,
      RigProfiling profiling,
      RigListener listener) {
    this.plan = plan;
    this.system = system;
    this.number = number;
    this.profiling = profiling;
    this.listener = listener;
    this.experiments = plan.hasExperiments() ? Experiment.of(system) : List.of();
  }

  /**
   * Runs once. Failures become failed runs, so that the sessions of other systems go on.
   *
   * @param time for the session, which may exceed it a little to have a result at all
   */
  void run(Duration time) throws InterruptedException {
    Duration least = Collections.min(List.of(MIN_BUDGET, plan.budget()));
    budget = Collections.max(List.of(least, time));
    endNs = System.nanoTime() + time.toNanos();
    String recordedName = system.name() + ", recorded";
    try (TrialPair plain =
        new TrialPair(plan.recorded(), plan.logs(), number, system + ", plain", null)) {
      try (TrialPair recorded =
          new TrialPair(plan.recorded(), plan.logs(), number, recordedName, profiling)) {
        Contender shown = new Contender(recordedName, system.system(), system.options());
        CargoSpec cargo = plan.recorded().cargo();
        if (warm(plain, system, system, cargo, PLAIN_WARM_UP)
            && warm(recorded, system, shown, cargo, RECORDED_WARM_UP)) {
          record(plain, recorded, shown);
        }
      }
      if (!experiments.isEmpty()) {
        experiment(plain);
      }
    } catch (IOException e) {
      runs.add(Run.failed(system.name(), 0, "its processes cannot be started: " + e.getMessage()));
    }
  }

  /** Prepares a pair for a contender, and warms it. */
  private boolean warm(
      TrialPair pair, Contender contender, Contender shown, CargoSpec cargo, int partOfBudget)
      throws IOException, InterruptedException {
    String problem = pair.prepare(contender, cargo, !contender.equals(system));
    listener.prepared(shown, problem);
    if (problem != null) {
      runs.add(Run.failed(shown.name(), 0, problem));
      return false;
    }
    Warmth warmth = pair.warm(budget.dividedBy(partOfBudget));
    listener.warmed(shown, warmth);
    return true;
  }

  private void record(TrialPair plain, TrialPair recorded, Contender shown)
      throws InterruptedException {
    for (boolean kernelFrames : plan.kernelFrames() ? List.of(true, false) : List.of(false)) {
      List<Run> plainTurns = new ArrayList<>();
      List<Run> recordedTurns = new ArrayList<>();
      String problem = recorded.record(kernelFrames);
      for (int i = 0; i <= plan.iterations() && problem == null; i++) {
        boolean plainFirst = i % 2 == 0;
        if (i == 1) {
          problem = recorded.record(kernelFrames); // Drops the first turn.
        }
        if (plainFirst) {
          keep(plain.run(i), turn(i), system, plainTurns);
        }
        keep(recorded.run(i), turn(i), shown, recordedTurns);
        if (!plainFirst) {
          keep(plain.run(i), turn(i), system, plainTurns);
        }
      }
      if (problem != null) {
        recordedTurns.add(Run.failed(shown.name(), 0, "cannot be recorded: " + problem));
      }
      Overhead cost = Overhead.of(system.name(), kernelFrames, plainTurns, recordedTurns);
      overhead = cost;
      if (!kernelFrames || !cost.isTooMuch() || recorded.isLost()) {
        runs.addAll(plainTurns);
        recordedRuns.addAll(recordedTurns);
        break;
      }
    }
    String problem = recorded.save();
    if (problem != null) {
      recordedRuns.add(Run.failed(shown.name(), 0, "its recording cannot be saved: " + problem));
    }
  }

  /**
   * Removes one suspect after the other, alternately with the unchanged system. All run in the same
   * processes, because two JVMs differ by more than most suspects cost. The order is random in each
   * turn, so that the after-effects of one contender do not always hit the same next one. Ends when
   * all experiments are settled, or the time is spent.
   */
  private void experiment(TrialPair pair) throws IOException, InterruptedException {
    if (pair.isLost()) {
      pair.end();
    }
    List<Experiment> open = new ArrayList<>(experiments);
    warmAll(pair, open);
    Random random = new Random(number);
    for (int i = 0; !open.isEmpty() && plan.goesOn(i, System.nanoTime() - endNs < 0); i++) {
      List<Contender> contenders = new ArrayList<>(List.of(system));
      open.forEach(experiment -> contenders.add(experiment.rung().contender()));
      Collections.shuffle(contenders, random);
      for (Contender contender : contenders) {
        keep(ship(pair, contender, i), turn(i), contender, experimentRuns);
        if (pair.isLost()) {
          open.removeIf(experiment -> experiment.rung().contender().equals(contender));
          pair.end();
          warmAll(pair, open);
        }
      }
      if (plan.experiments() == null && i >= 2 * Interval.MIN_TURNS) {
        open.removeIf(experiment -> Outcome.of(experiment, experimentRuns).isSettled());
        if (open.stream().noneMatch(Experiment::decisive)) {
          return;
        }
      }
    }
  }

  /** Warms the transports of the contenders: other options change little of the compiled code. */
  private void warmAll(TrialPair pair, List<Experiment> open)
      throws IOException, InterruptedException {
    warm(pair, system, system, plan.smaller(), EXPERIMENT_WARM_UP);
    for (Experiment experiment : open) {
      Contender contender = experiment.rung().contender();
      if (!contender.system().equals(system.system()) && !pair.isLost()) {
        warm(pair, contender, contender, plan.smaller(), EXPERIMENT_WARM_UP);
      }
    }
  }

  private Run ship(TrialPair pair, Contender contender, int iteration)
      throws IOException, InterruptedException {
    String problem = pair.prepare(contender, plan.smaller(), true);
    return problem == null ? pair.run(iteration) : Run.failed(contender.name(), iteration, problem);
  }

  private void keep(Run run, Turn turn, Contender contender, List<Run> to) {
    if (!turn.warmup() || run.status() == Status.FAILED) {
      to.add(run);
    }
    listener.ran(contender, turn, run);
  }

  /** Returns a turn; the first is not counted. */
  private static Turn turn(int i) {
    return new Turn(i == 0, Math.max(1, i));
  }

  /** Returns the iterations that were not recorded. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Returns the recorded iterations. */
  List<Run> recordedRuns() {
    return List.copyOf(recordedRuns);
  }

  /** Returns the iterations of the experiments, those of the unchanged system included. */
  List<Run> experimentRuns() {
    return List.copyOf(experimentRuns);
  }

  /** Returns the overhead of recording; null if nothing was recorded. */
  @Nullable Overhead overhead() {
    return overhead;
  }

  /** Returns the outcomes of the experiments. */
  List<Outcome> outcomes() {
    return experiments.stream().map(experiment -> Outcome.of(experiment, experimentRuns)).toList();
  }
}
