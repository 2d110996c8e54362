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
import java.util.function.ToLongFunction;

/**
 * A comparison of any number of systems, which alternate in as few groups as memory allows. All
 * processes of a group are alive at once, and all comparisons are with runs of the same minutes.
 *
 * @param groups in their order, each with its systems in their order
 * @param turns of the members of a group; the groups share the budget
 * @param plan the shipments of all groups
 */
public record GroupedPlan(List<List<Rung>> groups, TurnPlan turns, RigPlan plan) {
  /**
   * Most dirty bytes of a store in the page cache: a store forces its files while it writes them.
   * The kernel gives up the rest of the cache when memory is needed.
   */
  private static final long UNWRITTEN_BYTES = 1L << 30;

  public GroupedPlan {
    groups = List.copyOf(groups);
  }

  /**
   * Plans a comparison in the memory that is available now.
   *
   * @param rungs the systems: one is the baseline, and each is compared with the baseline or with
   *     an earlier one
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
          "the stored data needs about %s of memory until it is on the disk, %s are available"
              .formatted(ByteSize.format(storedBytes), ByteSize.format(availableBytes)));
    }
    return new GroupedPlan(
        groups(rungs, rung -> plan.bytesOf(rung.contender()), availableBytes - storedBytes),
        turns,
        plan);
  }

  /**
   * Cuts rungs into as few groups as their order and the memory allow. Every group includes the
   * baseline and the systems with which its rungs are compared.
   *
   * @param bytes estimated memory of the processes of a rung
   * @throws IllegalArgumentException if a rung and its comparison do not fit, with the memory that
   *     they need
   */
  static List<List<Rung>> groups(
      List<Rung> rungs, ToLongFunction<Rung> bytes, long availableBytes) {
    List<List<Rung>> groups = new ArrayList<>();
    List<Rung> current = new ArrayList<>();
    for (Rung rung : rungs) {
      current.add(rung);
      if (current.size() > 1 && bytes(group(current, rungs), bytes) > availableBytes) {
        groups.add(group(current.subList(0, current.size() - 1), rungs));
        current = new ArrayList<>(List.of(rung));
      }
      if (current.size() == 1) {
        requireFits(group(current, rungs), bytes, availableBytes);
      }
    }
    groups.add(group(current, rungs));
    return groups;
  }

  /** Returns some of all rungs, with the baseline and the systems with which they are compared. */
  private static List<Rung> group(List<Rung> own, List<Rung> all) {
    return all.stream()
        .filter(
            rung ->
                rung.isFirst()
                    || own.contains(rung)
                    || own.stream().anyMatch(one -> one.over().equals(rung.name())))
        .toList();
  }

  private static long bytes(List<Rung> group, ToLongFunction<Rung> bytes) {
    return group.stream().mapToLong(bytes).sum();
  }

  private static void requireFits(
      List<Rung> group, ToLongFunction<Rung> bytes, long availableBytes) {
    if (bytes(group, bytes) > availableBytes) {
      throw new IllegalArgumentException(
          "%s %s about %s of memory, %s are available"
              .formatted(
                  String.join(" and ", names(group)),
                  group.size() == 1 ? "needs" : "need",
                  ByteSize.format(bytes(group, bytes)),
                  ByteSize.format(availableBytes)));
    }
  }

  static List<String> names(List<Rung> group) {
    return group.stream().map(Rung::name).toList();
  }

  /** Returns the number of turns of all groups, warm-ups included; 0 if unknown. */
  public int turnCount() {
    int warmups = turns.warmup() == null ? 0 : turns.warmup();
    return turns.isFixed() ? preparations() * (turns.iterations() + warmups) : 0;
  }

  /** Returns the number of steps of all groups, as far as it is known. */
  public int steps() {
    return preparations() * (turns.warmup() == null ? 2 : 1) + turnCount();
  }

  private int preparations() {
    return turns.launches() * groups.stream().mapToInt(List::size).sum();
  }

  /**
   * Runs group after group, and all of them again with new processes for each further launch.
   *
   * @param folder for the logs
   * @param groupsBefore number of groups of other plans that precede in the result
   * @param listener of all groups
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
          new Rig(
                  plan,
                  groups.get(group - 1).stream().map(Rung::contender).toList(),
                  turns.share(rigs - i),
                  logs,
                  listener)
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
