package io.drayage.spark.read;

import io.drayage.database.LogPosition;
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
import java.util.Map;

/**
 * The snapshot that a query of this driver reads. As long as it is referenced, cleaning leaves the
 * snapshot in the store, for tasks that begin late. Thread-safe.
 */
final class PlannedSnapshot {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final Shared<OfStore> STORES =
      new Shared<>(options -> new OfStore(DrayageStore.of(options)));

  private final LogPosition position;
  private final Map<String, TableSize> sizes;

  private PlannedSnapshot(LogPosition position, Map<String, TableSize> sizes) {
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
        PlannedSnapshot opened = new PlannedSnapshot(position, columns.sizes());
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

  /** Returns the approximate size of a table. */
  TableSize size(String table) {
    return sizes.getOrDefault(table, TableSize.NONE);
  }
}
