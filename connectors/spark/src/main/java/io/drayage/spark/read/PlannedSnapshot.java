package io.drayage.spark.read;

import io.drayage.database.LogPosition;
import io.drayage.replica.ChangedRows;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.TableSize;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageStore;
import io.drayage.spark.database.Shared;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The snapshot that a query of this driver reads. As long as it is referenced, cleaning leaves the
 * snapshot in the store, for tasks that begin late. Thread-safe.
 */
final class PlannedSnapshot {
  static final Cleaner CLEANER = Cleaner.create();
  private static final Shared<OfStore> STORES =
      new Shared<>(options -> new OfStore(DrayageStore.of(options)));

  private final DrayageStore store;
  private final LogPosition position;
  private final Map<String, TableSize> sizes;

  /** The known pages of each table and some of its columns. Guarded by itself. */
  private final Map<List<Object>, TablePages> pages = new HashMap<>();

  private PlannedSnapshot(DrayageStore store, LogPosition position, Map<String, TableSize> sizes) {
    this.store = store;
    this.position = position;
    this.sizes = sizes;
  }

  /** The referenced snapshots of one store. Thread-safe. */
  static final class OfStore implements AutoCloseable {
    private final DrayageStore store;

    /** Guarded by this. */
    private final Map<LogPosition, WeakReference<PlannedSnapshot>> planned = new HashMap<>();

    OfStore(DrayageStore store) {
      this.store = store;
    }

    synchronized PlannedSnapshot of(LogPosition position) throws IOException {
      planned.values().removeIf(reference -> reference.get() == null);
      WeakReference<PlannedSnapshot> reference = planned.get(position);
      PlannedSnapshot known = reference == null ? null : reference.get();
      if (known == null) {
        known = open(position);
        planned.put(position, new WeakReference<>(known));
      }
      return known;
    }

    private PlannedSnapshot open(LogPosition position) throws IOException {
      try (SnapshotColumns columns = store.open(1, position)) {
        PlannedSnapshot opened = new PlannedSnapshot(store, position, columns.sizes());
        // It shares the mark of the columns, so that the snapshot is always marked.
        LoadingMarks.Marked mark = store.mark(columns.fullTimestamp());
        CLEANER.register(opened, mark::close);
        return opened;
      }
    }

    /** Forgets the snapshots; the store ends their marks. */
    @Override
    public synchronized void close() {
      planned.clear();
    }
  }

  /**
   * Returns a snapshot of a store.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, with the existing
   *     ones
   * @throws io.drayage.database.ForeignDatabaseException if another one is in its place
   */
  static PlannedSnapshot of(DrayageOptions options, LogPosition position) throws IOException {
    return STORES.of(options).of(position);
  }

  /** Returns the entry of the log that made it. */
  LogPosition position() {
    return position;
  }

  /**
   * Finds out what is known of the pages of a table. Reads nothing if a query has done it before.
   *
   * @param columns whose bounds are wanted
   */
  TablePages pages(String table, Set<String> columns) throws IOException {
    List<Object> key = List.of(table, columns);
    synchronized (pages) {
      TablePages known = pages.get(key);
      if (known != null) {
        return new TablePages(known.rows(), known.bounds(), 0);
      }
      LongAdder readBytes = new LongAdder();
      try (SnapshotColumns source = store.open(1, position, readBytes)) {
        ChangedRows rows = source.rows(table);
        TablePages found =
            new TablePages(
                rows,
                columns.isEmpty() ? Map.of() : source.bounds(table, columns),
                readBytes.sum());
        pages.put(key, found);
        return found;
      }
    }
  }

  /** Returns the approximate size of a table. */
  TableSize size(String table) {
    return sizes.getOrDefault(table, TableSize.NONE);
  }
}
