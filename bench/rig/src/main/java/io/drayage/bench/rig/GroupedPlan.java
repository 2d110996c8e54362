package io.drayage.bench.rig;

import io.drayage.bench.ByteSize;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.system.Rung;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A comparison of any number of systems, which take turns in as few groups as memory allows.
 *
 * @param groups in their order
 * @param turns how many turns the members of a group take; the groups share the budget
 * @param plan what all of them ship
 */
public record GroupedPlan(List<Group> groups, TurnPlan turns, RigPlan plan) {
  /**
   * What a store has in the page cache that is not on the disk yet: it forces its files while it
   * writes them. The rest of the cache is given up when memory is needed.
   */
  private static final long UNWRITTEN_BYTES = 1L << 30;

  public GroupedPlan {
    groups = List.copyOf(groups);
  }

  /**
   * Plans a comparison in the memory that is available now.
   *
   * @param rungs the systems, as {@link Group#of} describes them
   * @throws IllegalArgumentException if two systems do not fit into the memory
   */
  public static GroupedPlan of(List<Rung> rungs, TurnPlan turns, RigPlan plan) {
    long storedBytes =
        plan.delivery().commits() == null
            ? 0
            : Math.min(plan.delivery().workers() * plan.cargo().heapBytes(), UNWRITTEN_BYTES);
    long availableBytes = HeapPlan.availableBytes();
    if (storedBytes >= availableBytes) {
      throw new IllegalArgumentException(
          "what is stored takes about %s of memory until it is on the disk, %s are available"
              .formatted(ByteSize.format(storedBytes), ByteSize.format(availableBytes)));
    }
    List<Group> groups =
        Group.of(rungs, rung -> plan.bytesOf(rung.contender()), availableBytes - storedBytes);
    return new GroupedPlan(groups, turns, plan);
  }

  /** How many turns all groups take, warm-ups included; 0 if that is not known. */
  public int turnCount() {
    int warmups = turns.warmup() == null ? 0 : turns.warmup();
    return turns.isFixed() ? preparations() * (turns.iterations() + warmups) : 0;
  }

  /** How many steps all groups take, as far as that is known. */
  public int steps() {
    return preparations() * (turns.warmup() == null ? 2 : 1) + turnCount();
  }

  private int preparations() {
    return turns.launches() * groups.stream().mapToInt(group -> group.members().size()).sum();
  }

  /**
   * Runs group after group, and all of them again with new processes as often as planned.
   *
   * @param folder takes the logs
   * @param groupsBefore how many groups of other plans stand before these in the result
   * @param listener hears of all groups
   * @return the runs with their groups and launches; a system is warm if it was in all launches
   * @throws IOException if a child cannot be started
   */
  public Measurement run(ResultFolder folder, int groupsBefore, RigListener listener)
      throws IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    Map<String, Warmth> warmth = new HashMap<>();
    int rigs = turns.launches() * groups.size();
    int iterations = 0;
    for (int i = 0; i < rigs; i++) {
      int group = i % groups.size() + 1;
      int launch = i / groups.size() + 1;
      int before = group == 1 ? iterations(runs) : iterations;
      iterations = before;
      boolean isAlone = rigs == 1 && groupsBefore == 0;
      Path logs = isAlone ? folder.logs() : folder.logsOfGroup(groupsBefore + i + 1);
      Measurement measured =
          new Rig(plan, groups.get(group - 1).contenders(), turns.share(rigs - i), logs, listener)
              .run();
      for (Run run : measured.runs()) {
        Run ofGroup = run.inGroup(groupsBefore + group);
        runs.add(turns.launches() == 1 ? ofGroup : ofGroup.inLaunch(launch, before));
      }
      measured.warmth().forEach((system, own) -> warmth.merge(system, own, Warmth::and));
    }
    return new Measurement(runs, warmth);
  }

  private static int iterations(List<Run> runs) {
    return runs.stream().mapToInt(Run::iteration).max().orElse(0);
  }
}
