package io.drayage.bench.result;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a rig.
 *
 * @param runs every measured iteration in the order in which they ran, and the warm-ups that failed
 * @param warmth of the systems, by their names
 */
public record Measurement(List<Run> runs, Map<String, Warmth> warmth) {
  public Measurement {
    runs = List.copyOf(runs);
    warmth = Map.copyOf(warmth);
  }

  /** Creates a measurement of systems whose warm-up and machine were not watched. */
  public static Measurement of(List<Run> runs) {
    return new Measurement(runs, Map.of());
  }

  /** Adds the runs of other systems. */
  public Measurement and(Measurement others) {
    List<Run> all = new ArrayList<>(runs);
    all.addAll(others.runs);
    Map<String, Warmth> both = new HashMap<>(warmth);
    both.putAll(others.warmth);
    return new Measurement(all, both);
  }

  /** Part of all cores that others used in the measured turns, in percent; null if unknown. */
  public @Nullable Double othersBusyPercent() {
    List<Double> shares = runs.stream().map(Run::othersPercent).filter(Objects::nonNull).toList();
    return shares.isEmpty()
        ? null
        : (Double) shares.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
