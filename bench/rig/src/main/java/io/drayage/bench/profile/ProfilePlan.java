package io.drayage.bench.profile;

import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Systems;
import io.drayage.profiling.ProfilerEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a session.
 *
 * @param contenders the systems, no two alike
 * @param recorded the plan of the recorded shipments
 * @param smaller the cargo of the experiments, not larger than the recorded one
 * @param iterations of each pair of processes
 * @param experiments turns of the experiments; 0 for none; null for as many as settle all
 *     experiments within the budget
 * @param budget for all systems, without the reading of the recordings
 * @param events to sample
 * @param kernelFrames whether CPU samples may show the kernel's frames
 * @param profiler how each event is sampled, for people
 * @param folder of the page
 * @param logs the folder for the processes' logs; it exists
 */
public record ProfilePlan(
    List<Contender> contenders,
    RigPlan recorded,
    CargoSpec smaller,
    int iterations,
    @Nullable Integer experiments,
    Duration budget,
    Set<ProfilerEvent> events,
    boolean kernelFrames,
    List<String> profiler,
    Path folder,
    Path logs) {
  private static final String BASELINE = Systems.PUBLISHED;

  /** Weight of a recording in the budget, relative to one experiment. */
  private static final int WEIGHT_OF_RECORDING = 6;

  private static final int ASSUMED_TURNS = 25;

  /** More turns would add little. */
  private static final int MAX_TURNS = 200;

  List<String> systems() {
    return contenders.stream().map(Contender::name).toList();
  }

  /** Returns the name of the system with which the others are compared. */
  String baseline() {
    return systems().contains(BASELINE) ? BASELINE : systems().get(0);
  }

  /** Returns the approximate number of steps in the session of a system. */
  int steps(Contender system) {
    int experimenters = hasExperiments() ? 1 + Experiment.of(system).size() : 0;
    int turns = experiments == null ? ASSUMED_TURNS : experiments;
    return 4 + 4 * (1 + iterations) + experimenters * (1 + turns);
  }

  boolean hasExperiments() {
    return experiments == null || experiments > 0;
  }

  /** Checks whether another turn follows {@code turns} turns, the uncounted first one included. */
  boolean goesOn(int turns, boolean isTimeLeft) {
    return experiments != null
        ? turns <= experiments
        : turns <= Interval.MIN_TURNS || (turns <= MAX_TURNS && isTimeLeft);
  }

  /** Returns the share of a system in the time that is left: each experiment needs more turns. */
  Duration share(Duration left, Contender system, List<Contender> systemsLeft) {
    int all = systemsLeft.stream().mapToInt(this::weight).sum();
    return left.multipliedBy(weight(system)).dividedBy(all);
  }

  private int weight(Contender system) {
    return WEIGHT_OF_RECORDING + (hasExperiments() ? Experiment.of(system).size() : 0);
  }
}
