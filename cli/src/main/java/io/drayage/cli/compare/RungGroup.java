package io.drayage.cli.compare;

import io.drayage.bench.ladder.Rung;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Rungs that are measured in turns, in one run of the rig: those that the group is for, the
 * baseline, and what they are compared with. All processes of a run are alive at once, so a large
 * cargo takes several groups; every comparison stays within one.
 *
 * @param rungs whose figures come from this group
 * @param members all that take part, in the order of their turns
 */
record RungGroup(List<Rung> rungs, List<Rung> members) {
  RungGroup {
    rungs = List.copyOf(rungs);
    members = List.copyOf(members);
  }

  /**
   * Cuts rungs into as few groups as their order and the memory allow.
   *
   * @param rungs the first is the baseline; each is compared with one that stands before it
   * @param bytes what the processes of a rung are reckoned to take
   * @throws IllegalArgumentException if one rung and what it is compared with do not fit, saying
   *     how much they need
   */
  static List<RungGroup> of(List<Rung> rungs, ToLongFunction<Rung> bytes, long availableBytes) {
    Map<String, Rung> byName = new LinkedHashMap<>();
    rungs.forEach(rung -> byName.put(rung.name(), rung));
    List<RungGroup> groups = new ArrayList<>();
    List<Rung> current = new ArrayList<>();
    for (Rung rung : rungs) {
      List<Rung> extended = new ArrayList<>(current);
      extended.add(rung);
      if (bytes(membersOf(extended, byName), bytes) > availableBytes) {
        if (!current.isEmpty()) {
          groups.add(new RungGroup(current, membersOf(current, byName)));
        }
        extended = List.of(rung);
        long neededBytes = bytes(membersOf(extended, byName), bytes);
        if (neededBytes > availableBytes) {
          throw new IllegalArgumentException(
              "%s and what it is compared with need %,d bytes of memory, %,d are available"
                  .formatted(rung.name(), neededBytes, availableBytes));
        }
      }
      current = new ArrayList<>(extended);
    }
    groups.add(new RungGroup(current, membersOf(current, byName)));
    return List.copyOf(groups);
  }

  private static List<Rung> membersOf(List<Rung> rungs, Map<String, Rung> byName) {
    Map<String, Rung> members = new LinkedHashMap<>();
    for (Rung rung : byName.values()) {
      boolean isCompared =
          rung.isFirst() || rungs.stream().anyMatch(own -> own.over().equals(rung.name()));
      if (isCompared || rungs.contains(rung)) {
        members.put(rung.name(), rung);
      }
    }
    return List.copyOf(members.values());
  }

  private static long bytes(List<Rung> members, ToLongFunction<Rung> bytes) {
    return members.stream().mapToLong(bytes).sum();
  }
}
