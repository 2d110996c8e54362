package io.drayage.bench.rig;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Systems that take turns, in their order: all their processes are alive at once, and all
 * comparisons are with runs of the same minutes.
 */
public record Group(List<Rung> members) {
  public Group {
    members = List.copyOf(members);
  }

  List<Contender> contenders() {
    return members.stream().map(Rung::contender).toList();
  }

  public List<String> names() {
    return members.stream().map(Rung::name).toList();
  }

  /**
   * Cuts rungs into as few groups as their order and the memory allow. Every group includes the
   * baseline and what its rungs are compared with.
   *
   * @param rungs one is the baseline; each is compared with it or with one that stands before
   * @param bytes what the processes of a rung are reckoned to take
   * @throws IllegalArgumentException if a rung and what it is compared with do not fit, with how
   *     much they need
   */
  static List<Group> of(List<Rung> rungs, ToLongFunction<Rung> bytes, long availableBytes) {
    List<Group> groups = new ArrayList<>();
    List<Rung> current = new ArrayList<>();
    for (Rung rung : rungs) {
      current.add(rung);
      if (current.size() > 1 && with(current, rungs).bytes(bytes) > availableBytes) {
        groups.add(with(current.subList(0, current.size() - 1), rungs));
        current = new ArrayList<>(List.of(rung));
      }
      if (current.size() == 1) {
        with(current, rungs).requireFits(bytes, availableBytes);
      }
    }
    groups.add(with(current, rungs));
    return groups;
  }

  /** Some of all rungs, with the baseline and what they are compared with. */
  private static Group with(List<Rung> own, List<Rung> all) {
    return new Group(
        all.stream()
            .filter(
                rung ->
                    rung.isFirst()
                        || own.contains(rung)
                        || own.stream().anyMatch(one -> one.over().equals(rung.name())))
            .toList());
  }

  private long bytes(ToLongFunction<Rung> bytes) {
    return members.stream().mapToLong(bytes).sum();
  }

  private void requireFits(ToLongFunction<Rung> bytes, long availableBytes) {
    if (bytes(bytes) > availableBytes) {
      throw new IllegalArgumentException(
          "%s %s about %s of memory, %s are available"
              .formatted(
                  String.join(" and ", names()),
                  members.size() == 1 ? "needs" : "need",
                  ByteSize.format(bytes(bytes)),
                  ByteSize.format(availableBytes)));
    }
  }
}
