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
 * The snapshot that a query of this driver reads. As long as something refers to it, cleaning
 * leaves the snapshot in the store, so that tasks that begin late find it. Thread-safe.
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

  /** Those of one store that something refers to. Thread-safe. */
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
        // The mark of the columns, so that there is no moment without one.
        LoadingMarks.Marked mark = store.mark(columns.fullTimestamp());
        CLEANER.register(opened, mark::close);
        return opened;
      }
    }

    /** The store ends their marks. */
    @Override
    public synchronized void close() {
      planned.clear();
    }
  }

  /**
   * A snapshot of a store.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   * @throws io.drayage.database.ForeignDatabaseException if it has another in its place
   */
  static PlannedSnapshot of(DrayageOptions options, LogPosition position) throws IOException {
    return STORES.of(options).of(position);
  }

  /** The entry of the log that made it. */
  LogPosition position() {
    return position;
  }

  /** About how much a table holds. */
  TableSize size(String table) {
    return sizes.getOrDefault(table, TableSize.NONE);
  }
}
