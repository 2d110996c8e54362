package io.drayage.cli.compare;

import io.drayage.bench.system.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Systems whose processes do not fit into the memory together take turns in groups, one group after
 * the other. The baseline is part of each, so that every system is compared with runs of the same
 * minutes.
 */
final class Groups {
  private Groups() {}

  /**
   * Fills group after group, in the given order. A group has the baseline and at least one other,
   * if there is one, whether they fit or not.
   *
   * @param baseline one of the contenders
   * @param bytesOf what a contender's processes take
   * @param availableBytes what all of a group may take
   */
  static List<List<Contender>> of(
      List<Contender> contenders,
      Contender baseline,
      ToLongFunction<Contender> bytesOf,
      long availableBytes) {
    if (bytes(contenders, bytesOf) <= availableBytes) {
      return List.of(contenders);
    }
    List<List<Contender>> groups = new ArrayList<>();
    List<Contender> group = new ArrayList<>();
    for (Contender contender : contenders) {
      if (contender.equals(baseline)) {
        continue;
      }
      if (group.isEmpty()
          || bytes(group, bytesOf) + bytesOf.applyAsLong(contender) > availableBytes) {
        group = new ArrayList<>(List.of(baseline));
        groups.add(group);
      }
      group.add(contender);
    }
    return groups.isEmpty() ? List.of(contenders) : groups;
  }

  /** What all of a group take. */
  static long bytes(List<Contender> group, ToLongFunction<Contender> bytesOf) {
    return group.stream().mapToLong(bytesOf).sum();
  }
}
