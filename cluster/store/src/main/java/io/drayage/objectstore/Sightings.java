package io.drayage.objectstore;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Records for how long objects have existed, since this process first saw them. Independent of the
 * clocks of other machines, and of steps of the own clock. Thread-safe.
 */
public final class Sightings<T> {
  private final LongSupplier nanoTime;

  /** Guarded by this. */
  private final Map<T, Long> firstSeenNs = new HashMap<>();

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public Sightings(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Records the present objects, and forgets the others.
   *
   * @return the objects that were seen this long ago, and ever since
   */
  public synchronized Set<T> seenFor(Duration age, Collection<T> present) {
    long nowNs = nanoTime.getAsLong();
    Set<T> old = new HashSet<>();
    firstSeenNs.keySet().retainAll(new HashSet<>(present));
    for (T each : present) {
      Long earlierNs = firstSeenNs.putIfAbsent(each, nowNs);
      long seenNs = earlierNs == null ? nowNs : earlierNs;
      if (nowNs - seenNs >= age.toNanos()) {
        old.add(each);
      }
    }
    return old;
  }
}
