package io.drayage.spark.database;

import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotCatalog;
import java.io.IOException;

/**
 * The store of a database for this JVM. All queries and tasks with the same options share it, and
 * one mark for each full snapshot that they read. Thread-safe.
 */
public final class DrayageStore implements AutoCloseable {
  private static final Shared<DrayageStore> STORES = new Shared<>(DrayageStore::open);

  private final ObjectStore objects;
  private final LoadingMarks marks;

  private static DrayageStore open(DrayageOptions options) throws IOException {
    try {
      return new DrayageStore(ObjectStores.openExisting(options.get(DrayageOption.STORE)));
    } catch (IllegalArgumentException e) {
      throw DrayageException.invalidOption("store: " + e.getMessage());
    }
  }

  /**
   * @param objects closed by this object
   */
  public DrayageStore(ObjectStore objects) {
    this.objects = objects;
    this.marks = new LoadingMarks(objects);
  }

  /**
   * Returns the store of this JVM with these options.
   *
   * @throws IOException if a new one cannot be used; no folder is created
   */
  public static DrayageStore of(DrayageOptions options) throws IOException {
    return STORES.of(options);
  }

  /** Returns its name without secrets. */
  public String name() {
    return objects.name();
  }

  /** Returns its snapshots. */
  public SnapshotCatalog catalog() {
    return new SnapshotCatalog(objects);
  }

  /**
   * Finds the snapshot that an entry of the log made.
   *
   * @param threads threads that decode and apply
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, with the existing
   *     ones
   * @throws io.drayage.database.ForeignDatabaseException if another entry is in its place
   */
  public SnapshotColumns open(int threads, LogPosition entry) throws IOException {
    return SnapshotColumns.open(objects, marks, threads, AllowedCodecs.DATA_ONLY, entry);
  }

  /** Finds columns of an earlier snapshot, as {@link SnapshotColumns#since} does. */
  public SnapshotColumns since(int threads, LogPosition entry, long from) throws IOException {
    return SnapshotColumns.since(objects, marks, threads, AllowedCodecs.DATA_ONLY, entry, from);
  }

  /** Keeps a full snapshot and the later log in the store, until the mark is closed. */
  public LoadingMarks.Marked mark(long full) {
    return marks.mark(full);
  }

  @Override
  public void close() {
    marks.close();
    objects.close();
  }

  @Override
  public String toString() {
    return name();
  }
}
