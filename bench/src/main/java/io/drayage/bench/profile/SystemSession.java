package io.drayage.bench.profile;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigListener.Turn;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.RigProfiling;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The session of one system. Two pairs of processes take turns, and one of them is recorded. Then
 * the other pair runs the experiments. Not thread-safe.
 *
 * <p>The last two warm-ups are like the measured iterations. Those before are not recorded and ship
 * the smaller cargo: a cold JVM needs seconds for a large one, and twice as long when recorded.
 */
final class SystemSession {
  private static final int LIKE_MEASURED = 2;

  private final ProfilePlan plan;
  private final Contender system;
  private final int number;
  private final RigProfiling profiling;
  private final RigListener listener;

  private final List<Run> runs = new ArrayList<>();
  private final List<Run> recordedRuns = new ArrayList<>();
  private final List<Run> experimentRuns = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();

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
  }

  /**
   * One of the two pairs.
   *
   * @param shown the system, by a name that tells whether it is recorded
   * @param runs where its runs go
   */
  private record Side(TrialPair pair, Contender shown, List<Run> runs) {}

  /** Call once. Failures become failed runs, so that the sessions of other systems go on. */
  void run() throws InterruptedException {
    Contender asRecorded =
        new Contender(system.name() + ", recorded", system.system(), system.options());
    try (TrialPair plain = new TrialPair(plan.recorded(), number, system + ", plain", null)) {
      try (TrialPair recorded =
          new TrialPair(plan.recorded(), number, asRecorded.name(), profiling)) {
        record(new Side(plain, system, runs), new Side(recorded, asRecorded, recordedRuns));
      }
      if (plan.experiments() > 0) {
        experiment(plain);
      }
    } catch (IOException e) {
      runs.add(Run.failed(system.name(), 0, "its processes cannot be started: " + e.getMessage()));
    }
  }

  private void record(Side plain, Side recorded) throws IOException, InterruptedException {
    List<Side> order = new ArrayList<>(List.of(plain, recorded));
    for (Side side : order) {
      listener.prepared(side.shown, side.pair.prepare(system, cargoOf(1), false));
    }
    for (int i = 1; i <= plan.recorded().warmup() + plan.recorded().iterations(); i++) {
      Turn turn = turn(i, plan.recorded().warmup());
      if (i == firstLike()) {
        recorded.pair.record();
      }
      for (Side side : order) {
        if (i > 1 && i == firstLike()) {
          side.pair.prepare(system, cargoOf(i), false); // If it fails, so does the run.
        }
        keep(side.pair.run(turn.iteration()), turn, side.shown, side.runs);
      }
      Collections.rotate(order, -1);
      if (i == plan.recorded().warmup()) {
        endProfile(recorded, false);
      }
    }
    endProfile(recorded, true);
  }

  private RigPlan cargoOf(int i) {
    return i < firstLike() ? plan.smaller() : plan.recorded();
  }

  /** The first warm-up that is like the measured iterations. */
  private int firstLike() {
    return Math.max(1, plan.recorded().warmup() + 1 - LIKE_MEASURED);
  }

  private void endProfile(Side recorded, boolean saved) throws InterruptedException {
    String problem = recorded.pair.endProfile(saved);
    if (problem != null) {
      recorded.runs.add(
          Run.failed(
              system.name(),
              saved ? plan.recorded().iterations() : 0,
              "its recording cannot be ended: " + problem));
    }
  }

  /**
   * Removes one suspect after the other, in turns with the unchanged system: all in the same
   * processes, because two JVMs differ by more than most suspects cost. The order is random in each
   * turn, so that the after-effects of one do not always hit the same next one.
   */
  private void experiment(TrialPair pair) throws IOException, InterruptedException {
    List<Experiment> experiments = Experiment.of(system);
    List<Contender> contenders = new ArrayList<>();
    contenders.add(system);
    experiments.forEach(experiment -> contenders.add(experiment.rung().contender()));
    Random random = new Random(number);
    if (pair.isLost()) {
      pair.end();
    }
    // Drops the other cargo and its connections.
    pair.prepare(system, plan.smaller(), false);
    for (int i = 1; i <= plan.experimentWarmup() + plan.experiments(); i++) {
      Turn turn = turn(i, plan.experimentWarmup());
      Collections.shuffle(contenders, random);
      for (Contender contender : List.copyOf(contenders)) {
        keep(ship(pair, contender, turn.iteration()), turn, contender, experimentRuns);
        if (pair.isLost()) {
          contenders.remove(contender);
          pair.end();
          warmAgain(pair, contenders);
        }
      }
    }
    experiments.forEach(experiment -> outcomes.add(Outcome.of(experiment, experimentRuns)));
  }

  /** New processes are cold. Failures here are ignored: they repeat when it counts. */
  private void warmAgain(TrialPair pair, List<Contender> contenders)
      throws IOException, InterruptedException {
    for (int i = 0; i < plan.experimentWarmup(); i++) {
      for (Contender contender : contenders) {
        ship(pair, contender, 0);
        if (pair.isLost()) {
          pair.end();
        }
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

  private static Turn turn(int i, int warmup) {
    return new Turn(i <= warmup, i <= warmup ? i : i - warmup);
  }

  /** The iterations that were not recorded. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Those that were. */
  List<Run> recordedRuns() {
    return List.copyOf(recordedRuns);
  }

  /** Those of the experiments, the system as it is among them. */
  List<Run> experimentRuns() {
    return List.copyOf(experimentRuns);
  }

  /** What the experiments showed. */
  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }
}
