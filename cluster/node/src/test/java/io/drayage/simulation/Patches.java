package io.drayage.simulation;

import io.drayage.database.KnownTransactions;
import io.drayage.internal.DaemonThreads;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.Sightings;
import io.drayage.replica.Replica;
import io.drayage.simulation.kernel.SimCalls;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.store.column.ColumnWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** What broken variants do instead of a call. */
public final class Patches {
  /** Made last: that of a node's deletions is made right after it. */
  private static @Nullable ExecutorService ofFullSnapshots;

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

  /** Who marks what it loads takes the mark for there, though it could not be made. */
  public static void putUnlessMark(ObjectStore store, String key, ByteBuffer content)
      throws IOException {
    try {
      store.put(key, content);
    } catch (IOException e) {
      if (!key.startsWith("loading/")) {
        throw e;
      }
    }
  }

  /** Full snapshots wait for the thread that deletes. */
  public static ExecutorService oneThreadOfMaintenance(ThreadFactory threads) {
    if (threads.equals(new DaemonThreads("drayage-clean")) && ofFullSnapshots != null) {
      return ofFullSnapshots;
    }
    ExecutorService made = SimCalls.newSingleThreadExecutor(threads);
    if (threads.equals(new DaemonThreads("drayage-full-snapshot"))) {
      ofFullSnapshots = made;
    }
    return made;
  }

  /** No data is needed, whatever the entry of a transaction names. */
  public static Set<String> needed(TransactionCleaner unused, long end) {
    return Set.of();
  }
}
