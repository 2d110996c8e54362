package io.drayage.simulation;

import io.drayage.database.KnownTransactions;
import io.drayage.objectstore.Sightings;
import io.drayage.replica.Replica;
import io.drayage.simulation.kernel.SimCalls;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.store.column.ColumnWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** What broken variants do instead of a call. */
public final class Patches {
  private Patches() {}

  /** Whatever is there has been there for long enough. */
  public static Set<Object> seenFor(
      Sightings<Object> unused, Duration age, Collection<Object> present) {
    return new HashSet<>(present);
  }

  /** A full snapshot has no transactions. */
  public static KnownTransactions history(SnapshotCatalog unused, SnapshotEntry full) {
    return KnownTransactions.NONE;
  }

  /** One transactor drops updates. */
  public static void applyButOnOneNode(ColumnWriter writer, long from, long to) {
    if (!SimCalls.host().startsWith("t2.")) {
      writer.apply(from, to);
    }
  }

  /** One worker drops updates now and then: two might agree with each other. */
  public static void applyMostly(ColumnWriter writer, long from, long to) {
    if (!SimCalls.host().startsWith("w1.") || ThreadLocalRandom.current().nextLong(0, 20) > 0) {
      writer.apply(from, to);
    }
  }

  /** To the end of the log, published or not. */
  public static long advance(Replica replica, long upTo) throws IOException {
    return replica.advance(Long.MAX_VALUE);
  }

  /** No data is needed, whatever the entry of a transaction names. */
  public static Set<String> needed(TransactionCleaner unused, long end) {
    return Set.of();
  }
}
