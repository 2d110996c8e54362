package io.drayage.simulation;

import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.internal.DaemonThreads;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.Sightings;
import io.drayage.replica.Replica;
import io.drayage.simulation.kernel.SimCalls;
import io.drayage.snapshot.LogObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.store.column.ColumnWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The replacements of calls in broken variants. */
public final class CallPatches {
  /** The last thread for full snapshots. The thread for deletions is made right after it. */
  private static @Nullable ExecutorService ofFullSnapshots;

  private CallPatches() {}

  /** Counts everything as seen for long enough. */
  public static Set<Object> seenFor(
      Sightings<Object> unused, Duration age, Collection<Object> present) {
    return new HashSet<>(present);
  }

  /** Returns no transactions for a full snapshot. */
  public static KnownTransactions history(SnapshotCatalog unused, SnapshotEntry full) {
    return KnownTransactions.NONE;
  }

  /** Drops updates on one transactor. */
  public static void applyButOnOneNode(ColumnWriter writer, long from, long to) {
    if (!SimCalls.host().startsWith("t2.")) {
      writer.apply(from, to);
    }
  }

  /** Drops some updates on one worker. Two workers might agree with each other. */
  public static void applyMostly(ColumnWriter writer, long from, long to) {
    if (!SimCalls.host().startsWith("w1.") || ThreadLocalRandom.current().nextLong(0, 20) > 0) {
      writer.apply(from, to);
    }
  }

  /** Advances to the end of the log, published or not. */
  public static long advance(Replica replica, long upTo) throws IOException {
    return replica.advance(Long.MAX_VALUE);
  }

  /** Ignores the failure to store a mark of a full snapshot that is being loaded. */
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

  /** Makes full snapshots wait for the thread that deletes. */
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

  /** Stores no entry. */
  public static List<SnapshotEntry> appendNothing(SnapshotCatalog unused, LogObject entries) {
    return entries.entries();
  }

  /** Stores all entries of an object but the last, if there are several. */
  public static List<SnapshotEntry> appendAllButLast(SnapshotCatalog catalog, LogObject entries)
      throws IOException {
    List<SnapshotEntry> all = entries.entries();
    SnapshotManifest first = all.get(0).manifest();
    LogObject fewer =
        new LogObject(
            new LogPosition(first.database(), first.parent(), first.parentChecksum()),
            first.epoch());
    for (SnapshotEntry entry : all.subList(0, Math.max(1, all.size() - 1))) {
      SnapshotManifest manifest = entry.manifest();
      boolean unused = fewer.add(manifest.kind(), manifest.created());
    }
    List<SnapshotEntry> unused = catalog.appendTogether(fewer);
    return all;
  }

  /** Counts no data as needed, whatever the entry of a transaction names. */
  public static Set<String> needed(TransactionCleaner unused, long end) {
    return Set.of();
  }
}
