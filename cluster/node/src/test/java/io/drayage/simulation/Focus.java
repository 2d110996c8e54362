package io.drayage.simulation;

import io.drayage.crash.CrashPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the faults that are drawn, and the points at which they strike, so that seeds reach a
 * rare state.
 */
final class Focus {
  private static final Set<String> POINTS =
      Arrays.stream(CrashPoint.values())
          .filter(point -> !point.isOfFragments())
          .map(CrashPoint::name)
          .collect(Collectors.toSet());

  private static final Map<String, Strain> STRAINS =
      Arrays.stream(Strain.values()).collect(Collectors.toMap(Strain::name, strain -> strain));

  /** One in this number of seeds has a strain. */
  private static final int SEEDS_PER_STRAIN = 10;

  private final Set<String> names;
  private final boolean hasPoints;
  private final boolean hasKinds;

  /**
   * Reads a list.
   *
   * @param list names of {@link Faults}, of {@link CrashPoint}s, and of a {@link Strain}, separated
   *     by commas; without faults, all kinds of faults; without points, all points
   */
  Focus(String list) {
    names = list.isEmpty() ? Set.of() : Set.of(list.split(",", -1));
    hasPoints = names.stream().anyMatch(POINTS::contains);
    hasKinds =
        names.stream().anyMatch(name -> !POINTS.contains(name) && !STRAINS.containsKey(name));
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Refuses a name that is neither a point, nor a strain, nor a kind of fault.
   *
   * @throws IllegalArgumentException if there is such a name
   */
  void requireKinds(Set<String> kinds) {
    for (String name : names) {
      if (!POINTS.contains(name) && !STRAINS.containsKey(name) && !kinds.contains(name)) {
        throw new IllegalArgumentException("no fault, no point and no strain: " + name);
      }
    }
  }

  /** The strain of a seed: the named one; without any name, one for some of the seeds. */
  @Nullable Strain strain(long seed) {
    if (names.isEmpty()) {
      SplittableRandom random = new SplittableRandom(~seed);
      List<Strain> all = List.of(Strain.values());
      Strain any = all.get(random.nextInt(all.size()));
      return random.nextInt(SEEDS_PER_STRAIN) == 0 ? any : null;
    }
    return names.stream().map(STRAINS::get).filter(Objects::nonNull).findAny().orElse(null);
  }

  boolean draws(String kind) {
    return !hasKinds || names.contains(kind);
  }

  boolean draws(CrashPoint point) {
    return !hasPoints || names.contains(point.name());
  }
}
