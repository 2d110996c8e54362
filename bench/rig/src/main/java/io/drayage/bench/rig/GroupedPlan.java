package io.drayage.bench.rig;

import io.drayage.bench.ByteSize;
import io.drayage.bench.link.Link;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Rung;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A comparison of any number of systems. All processes of a run of the rig are alive at once, so
 * the systems take turns in as few groups as memory allows. Every group includes the baseline and
 * what its rungs are compared with: all comparisons are with runs of the same minutes.
 *
 * @param groups in their order
 * @param cargo what is shipped
 * @param turns how many turns the members of a group take; the groups share the budget
 * @param heap the memory of a pair
 * @param delivery how far a shipment goes, and from how many workers
 * @param link what lies between the processes; stays the caller's
 */
public record GroupedPlan(
    List<Group> groups,
    CargoSpec cargo,
    TurnPlan turns,
    HeapPlan heap,
    Delivery delivery,
    Link link) {
  /**
   * Rungs that take turns.
   *
   * @param rungs whose figures come from this group
   * @param members all that take part, in the order of their turns
   */
  public record Group(List<Rung> rungs, List<Rung> members) {
    public Group {
      rungs = List.copyOf(rungs);
      members = List.copyOf(members);
    }

    List<Contender> contenders() {
      return members.stream().map(Rung::contender).toList();
    }

    /** The names of the members. */
    public List<String> names() {
      return members.stream().map(Rung::name).toList();
    }

    /**
     * Cuts rungs into as few groups as their order and the memory allow.
     *
     * @param rungs one is the baseline; each is compared with it or with one that stands before
     * @param bytes what the processes of a rung are reckoned to take
     * @throws IllegalArgumentException if a rung and what it is compared with do not fit, with how
     *     much they need
     */
    static List<Group> of(List<Rung> rungs, ToLongFunction<Rung> bytes, long availableBytes) {
      Map<String, Rung> byName = new LinkedHashMap<>();
      rungs.forEach(rung -> byName.put(rung.name(), rung));
      List<Group> groups = new ArrayList<>();
      List<Rung> current = new ArrayList<>();
      for (Rung rung : rungs) {
        List<Rung> extended = new ArrayList<>(current);
        extended.add(rung);
        if (sum(membersOf(extended, byName), bytes) > availableBytes) {
          if (!current.isEmpty()) {
            groups.add(new Group(current, membersOf(current, byName)));
          }
          extended = List.of(rung);
          requireFits(membersOf(extended, byName), bytes, availableBytes);
        }
        current = new ArrayList<>(extended);
      }
      groups.add(new Group(current, membersOf(current, byName)));
      return List.copyOf(groups);
    }

    private static void requireFits(
        List<Rung> members, ToLongFunction<Rung> bytes, long availableBytes) {
      long neededBytes = sum(members, bytes);
      if (neededBytes > availableBytes) {
        throw new IllegalArgumentException(
            "%s %s about %s of memory, %s are available"
                .formatted(
                    String.join(" and ", members.stream().map(Rung::name).toList()),
                    members.size() == 1 ? "needs" : "need",
                    ByteSize.format(neededBytes),
                    ByteSize.format(availableBytes)));
      }
    }

    private static List<Rung> membersOf(List<Rung> rungs, Map<String, Rung> byName) {
      return byName.values().stream()
          .filter(
              rung ->
                  rung.isFirst()
                      || rungs.contains(rung)
                      || rungs.stream().anyMatch(own -> own.over().equals(rung.name())))
          .toList();
    }

    private static long sum(List<Rung> members, ToLongFunction<Rung> bytes) {
      return members.stream().mapToLong(bytes).sum();
    }
  }

  public GroupedPlan {
    groups = List.copyOf(groups);
  }

  /**
   * What a store has in the page cache that is not on the disk yet: it forces its files while it
   * writes them. The rest of the cache is given up when memory is needed.
   */
  private static final long UNWRITTEN_BYTES = 1L << 30;

  /**
   * Plans a comparison in the memory that is available now.
   *
   * @param rungs the systems, as {@link Group} describes them
   * @throws IllegalArgumentException if two systems do not fit into the memory
   */
  public static GroupedPlan of(
      List<Rung> rungs,
      CargoSpec cargo,
      TurnPlan turns,
      HeapPlan heap,
      Delivery delivery,
      Link link) {
    long storedBytes =
        delivery.commits() == null
            ? 0
            : Math.min(delivery.workers() * cargo.heapBytes(), UNWRITTEN_BYTES);
    long availableBytes = HeapPlan.availableBytes();
    if (storedBytes >= availableBytes) {
      throw new IllegalArgumentException(
          "what is stored takes about %s of memory until it is on the disk, %s are available"
              .formatted(ByteSize.format(storedBytes), ByteSize.format(availableBytes)));
    }
    List<Group> groups =
        Group.of(
            rungs, rung -> heap.pairBytes(rung.contender().system()), availableBytes - storedBytes);
    return new GroupedPlan(groups, cargo, turns, heap, delivery, link);
  }

  /** How many turns all groups take, warm-ups included; 0 if that is not known. */
  public int turnCount() {
    return preparations() * (turns.isFixed() ? turns.count() : 0);
  }

  /** How many steps all groups take, as far as that is known. */
  public int steps() {
    return preparations() * (turns.warmup() == null ? 2 : 1) + turnCount();
  }

  private int preparations() {
    return groups.stream().mapToInt(group -> group.members.size()).sum();
  }

  /**
   * Runs group after group.
   *
   * @param folder takes the logs
   * @param listener hears of all groups
   * @return the runs with their groups
   * @throws IOException if a child cannot be started, or the disk cannot be measured
   */
  public Measurement run(ResultFolder folder, RigListener listener)
      throws IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    Map<String, Warmth> warmth = new HashMap<>();
    for (Group group : groups) {
      int number = groups.indexOf(group) + 1;
      Path logs = groups.size() == 1 ? folder.logs() : folder.logsOfGroup(number);
      TurnPlan share = turns.share(groups.size() - number + 1);
      RigPlan plan = new RigPlan(group.contenders(), cargo, share, heap, logs, delivery, link);
      Measurement measured = new Rig(plan, listener).run();
      measured.runs().forEach(run -> runs.add(run.inGroup(number)));
      measured.warmth().forEach(warmth::putIfAbsent);
    }
    return new Measurement(runs, warmth);
  }
}
