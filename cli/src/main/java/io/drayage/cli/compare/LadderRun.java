package io.drayage.cli.compare;

import io.drayage.bench.ladder.Rung;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.rig.Rig;
import io.drayage.bench.rig.RigListener;
import io.drayage.bench.rig.RigPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs group after group through the rig, and collects what each rung brought. For one thread. */
final class LadderRun {
  /** What the rig is to do. */
  @FunctionalInterface
  interface Plans {
    /**
     * For one group.
     *
     * @param number the group's, from 1
     * @throws IOException if its folder cannot be made
     */
    RigPlan of(RungGroup group, int number) throws IOException;
  }

  private final List<RungGroup> groups;
  private final Plans plans;
  private final RigListener listener;
  private final List<Run> runs = new ArrayList<>();
  private final Map<String, RungSummary> byName = new HashMap<>();

  /**
   * @param plans what the rig is to do for a group
   * @param listener hears of all groups
   */
  LadderRun(List<RungGroup> groups, Plans plans, RigListener listener) {
    this.groups = groups;
    this.plans = plans;
    this.listener = listener;
  }

  /** Runs them all. To be called once, before the results are asked for. */
  void run() throws IOException, InterruptedException {
    for (int g = 0; g < groups.size(); g++) {
      RungGroup group = groups.get(g);
      int number = g + 1;
      List<Run> measured = new Rig(plans.of(group, number), listener).run();
      measured.forEach(run -> runs.add(run.inGroup(number)));
      summarize(group, number, measured);
    }
  }

  private void summarize(RungGroup group, int number, List<Run> measured) {
    List<String> names = group.members().stream().map(Rung::name).toList();
    Map<String, Summary> summaries = new HashMap<>();
    for (Summary summary : Summary.of(names, names.get(0), measured)) {
      summaries.put(summary.system(), summary);
    }
    for (Rung rung : group.rungs()) {
      Summary own = summaries.get(rung.name());
      Summary over = summaries.get(rung.over());
      if (own != null && over != null) {
        byName.put(rung.name(), RungSummary.of(rung, number, own, over));
      }
    }
  }

  /** All runs, group after group. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** What each rung brought, in their order; one that was not run says why. */
  List<RungSummary> summaries(List<Rung> rungs, Map<String, String> skipped) {
    Map<String, Integer> numbers = new HashMap<>();
    List<RungSummary> summaries = new ArrayList<>();
    for (Rung rung : rungs) {
      int number = numbers.size() + 1;
      numbers.put(rung.name(), number);
      RungSummary summary = byName.get(rung.name());
      if (summary == null) {
        summary = RungSummary.skipped(rung, skipped.getOrDefault(rung.name(), "not run"));
      }
      summaries.add(summary.numbered(number, rung.isFirst() ? null : numbers.get(rung.over())));
    }
    return List.copyOf(summaries);
  }
}
