package io.drayage.simulation;

import io.drayage.crash.CrashPoint;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the faults that are drawn, and the points at which they strike, so that seeds reach a
 * state that is rare otherwise.
 */
final class Focus {
  private static final Set<String> POINTS =
      Arrays.stream(CrashPoint.values())
          .filter(point -> !point.isOfFragments())
          .map(CrashPoint::name)
          .collect(Collectors.toSet());

  private final Set<String> names;
  private final boolean hasPoints;
  private final boolean hasKinds;

  /**
   * Reads a list.
   *
   * @param list names of {@link Faults} and of {@link CrashPoint}s, separated by commas: all kinds
   *     of faults if it names none, all points if it names none
   */
  Focus(String list) {
    names = list.isEmpty() ? Set.of() : Set.of(list.split(",", -1));
    hasPoints = names.stream().anyMatch(POINTS::contains);
    hasKinds = !POINTS.containsAll(names);
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Refuses a name that is neither a point nor a kind of fault.
   *
   * @throws IllegalArgumentException if there is one
   */
  void requireKinds(Set<String> kinds) {
    for (String name : names) {
      if (!POINTS.contains(name) && !kinds.contains(name)) {
        throw new IllegalArgumentException("no fault and no point: " + name);
      }
    }
  }

  boolean draws(String kind) {
    return !hasKinds || names.contains(kind);
  }

  boolean draws(CrashPoint point) {
    return !hasPoints || names.contains(point.name());
  }
}
