package io.drayage.simulation;

import io.drayage.objectstore.Sightings;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.transactor.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What broken variants do instead of a call. */
public final class Patches {
  private Patches() {}

  /** Whatever is there has been there for long enough. */
  public static Set<Object> seenFor(
      Sightings<Object> unused, Duration age, Collection<Object> present) {
    return new HashSet<>(present);
  }

  /** A full snapshot has no transactions. */
  public static Map<UUID, Long> history(SnapshotCatalog unused, SnapshotEntry full) {
    return Map.of();
  }

  /** To the end of the log, published or not. */
  public static long advance(Replica replica, long upTo) throws IOException {
    return replica.advance(Long.MAX_VALUE);
  }
}
