package io.drayage.spark.read;

import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.TableSize;
import io.drayage.snapshot.LoadingMark;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The snapshot that a query of this driver reads. As long as something refers to it, cleaning
 * leaves the snapshot in the store, so that tasks that begin late find it. Thread-safe.
 */
final class PlannedSnapshot {
  private static final Cleaner CLEANER = Cleaner.create();

  /** Guarded by itself. */
  private static final Map<Key, WeakReference<PlannedSnapshot>> PLANNED = new HashMap<>();

  private record Key(ObjectStore objects, long snapshot) {}

  private final long number;
  private final Map<String, TableSize> sizes;

  private PlannedSnapshot(long number, Map<String, TableSize> sizes) {
    this.number = number;
    this.sizes = sizes;
  }

  /**
   * A snapshot of a store.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   */
  static PlannedSnapshot of(ObjectStore objects, long snapshot) throws IOException {
    synchronized (PLANNED) {
      PLANNED.values().removeIf(reference -> reference.get() == null);
      Key key = new Key(objects, snapshot);
      WeakReference<PlannedSnapshot> known = PLANNED.get(key);
      PlannedSnapshot planned = known == null ? null : known.get();
      if (planned == null) {
        planned = open(objects, snapshot);
        PLANNED.put(key, new WeakReference<>(planned));
      }
      return planned;
    }
  }

  private static PlannedSnapshot open(ObjectStore objects, long snapshot) throws IOException {
    try (SnapshotColumns columns =
        SnapshotColumns.open(objects, 1, AllowedCodecs.DATA_ONLY, OptionalLong.of(snapshot))) {
      PlannedSnapshot planned = new PlannedSnapshot(snapshot, columns.sizes());
      LoadingMark mark = columns.takeMark();
      CLEANER.register(planned, mark::close);
      return planned;
    }
  }

  /** Its number. */
  long number() {
    return number;
  }

  /** About how much a table holds. */
  TableSize size(String table) {
    return sizes.getOrDefault(table, TableSize.NONE);
  }
}
