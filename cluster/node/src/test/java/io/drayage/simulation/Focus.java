package io.drayage.simulation;

import io.drayage.crash.CrashPoint;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which faults are drawn, and at which points: names of kinds and of {@link CrashPoint}s, separated
 * by commas; of neither means any. It drives seeds to a state that is rare otherwise.
 */
final class Focus {
  private static final Set<String> POINTS =
      Arrays.stream(CrashPoint.values()).map(CrashPoint::name).collect(Collectors.toSet());

  private final Set<String> kinds;
  private final Set<String> points;

  Focus(String names) {
    Set<String> all = Set.of(names.isEmpty() ? new String[0] : names.split(",", -1));
    this.points = all.stream().filter(POINTS::contains).collect(Collectors.toSet());
    this.kinds = all.stream().filter(Predicate.not(POINTS::contains)).collect(Collectors.toSet());
  }

  /** Whether this is all that is drawn from. */
  boolean isAnything() {
    return kinds.isEmpty() && points.isEmpty();
  }

  boolean draws(String kind) {
    return kinds.isEmpty() || kinds.contains(kind);
  }

  boolean draws(CrashPoint point) {
    return points.isEmpty() || points.contains(point.name());
  }
}
