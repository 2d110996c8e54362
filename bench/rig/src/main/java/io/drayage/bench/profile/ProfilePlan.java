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
 * What a session records.
 *
 * @param contenders the systems, no two alike
 * @param recorded what is recorded
 * @param smaller the cargo of the experiments, which is not larger
 * @param iterations of each pair of processes
 * @param experiments turns of the experiments; 0 for none; null for until all are settled or the
 *     budget is spent
 * @param budget how long all systems may take, but for the reading of the recordings
 * @param events to sample
 * @param kernelFrames whether samples of the processor may show the kernel's frames
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

  /** In experiments. */
  private static final int WEIGHT_OF_RECORDING = 6;

  private static final int ASSUMED_TURNS = 25;

  /** More would hardly tell more. */
  private static final int MAX_TURNS = 200;

  List<String> systems() {
    return contenders.stream().map(Contender::name).toList();
  }

  /** The name of the system that the others are compared with. */
  String baseline() {
    return systems().contains(BASELINE) ? BASELINE : systems().get(0);
  }

  /** How many steps the session of a system has, about. */
  int steps(Contender system) {
    int experimenters = hasExperiments() ? 1 + Experiment.of(system).size() : 0;
    int turns = experiments == null ? ASSUMED_TURNS : experiments;
    return 4 + 4 * (1 + iterations) + experimenters * (1 + turns);
  }

  boolean hasExperiments() {
    return experiments == null || experiments > 0;
  }

  /** Whether there is another turn after so many, the uncounted first among them. */
  boolean goesOn(int turns, boolean isTimeLeft) {
    return experiments != null
        ? turns <= experiments
        : turns <= Interval.MIN_TURNS || (turns <= MAX_TURNS && isTimeLeft);
  }

  /** What a system has of the time that is left: each experiment takes more turns. */
  Duration share(Duration left, Contender system, List<Contender> systemsLeft) {
    int all = systemsLeft.stream().mapToInt(this::weight).sum();
    return left.multipliedBy(weight(system)).dividedBy(all);
  }

  private int weight(Contender system) {
    return WEIGHT_OF_RECORDING + (hasExperiments() ? Experiment.of(system).size() : 0);
  }
}
