package io.drayage.bench.profile;

import io.drayage.bench.ladder.Rung;
import io.drayage.bench.ladder.RungGroup;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.AvailableMemory;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.Rig;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the experiments of one system after the other, in turns with that system: as many at a time
 * as memory allows. For one thread.
 */
final class ExperimentRun {
  /** What the rig is to do. */
  @FunctionalInterface
  interface Plans {
    /**
     * For these contenders.
     *
     * @param group numbers the run, from 1
     */
    RigPlan of(List<Contender> contenders, int group) throws IOException;
  }

  /** One run of the rig. */
  private record Group(List<Experiment> experiments, List<Contender> contenders) {}

  private final List<Group> groups = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * @param systems those with the suspects
   * @throws IllegalArgumentException if one of them and one experiment do not fit into memory
   */
  ExperimentRun(List<Contender> systems, HeapPlan heap) {
    for (Contender system : systems) {
      List<Experiment> experiments = Experiment.of(system);
      if (experiments.isEmpty()) {
        continue;
      }
      List<Rung> rungs = new ArrayList<>();
      rungs.add(new Rung("as it is", system, system.name()));
      experiments.forEach(experiment -> rungs.add(experiment.rung()));
      for (RungGroup group :
          RungGroup.of(
              rungs, rung -> heap.pairBytes(rung.contender().system()), AvailableMemory.bytes())) {
        groups.add(
            new Group(
                experiments.stream()
                    .filter(experiment -> group.rungs().contains(experiment.rung()))
                    .toList(),
                group.members().stream().map(Rung::contender).toList()));
      }
    }
  }

  /** How many steps the rig will take in all. */
  int steps(int turns, int warmup) {
    return groups.stream().mapToInt(group -> group.contenders.size()).sum() * (1 + warmup + turns);
  }

  void run(Plans plans, RigListener listener) throws IOException, InterruptedException {
    int number = 0;
    for (Group group : groups) {
      number++;
      List<Run> measured = new Rig(plans.of(group.contenders, number), listener).run();
      for (Run run : measured) {
        runs.add(run.inGroup(number));
      }
      group.experiments.forEach(experiment -> outcomes.add(Outcome.of(experiment, measured)));
    }
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }

  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }
}
