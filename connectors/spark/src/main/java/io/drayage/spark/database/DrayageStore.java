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
 * The store of a database as this JVM reads it: one for all of its queries and tasks that have the
 * same options, with one mark for each full snapshot that any of them reads. Thread-safe.
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
   * @param objects closed by this
   */
  public DrayageStore(ObjectStore objects) {
    this.objects = objects;
    this.marks = new LoadingMarks(objects);
  }

  /**
   * The store of this JVM with these options.
   *
   * @throws IOException if there is none yet and it cannot be used; a folder is not made
   */
  public static DrayageStore of(DrayageOptions options) throws IOException {
    return STORES.of(options);
  }

  /** Its name, without what is secret. */
  public String name() {
    return objects.name();
  }

  /** Its snapshots. */
  public SnapshotCatalog catalog() {
    return new SnapshotCatalog(objects);
  }

  /**
   * Finds the snapshot that an entry of the log made.
   *
   * @param threads threads that decode and apply
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   * @throws io.drayage.database.ForeignDatabaseException if it has another entry in its place
   */
  public SnapshotColumns open(int threads, LogPosition entry) throws IOException {
    return SnapshotColumns.open(objects, marks, threads, AllowedCodecs.DATA_ONLY, entry);
  }

  /** The same for columns of an earlier snapshot, as {@link SnapshotColumns#since}. */
  public SnapshotColumns since(int threads, LogPosition entry, long from) throws IOException {
    return SnapshotColumns.since(objects, marks, threads, AllowedCodecs.DATA_ONLY, entry, from);
  }

  /** Keeps a full snapshot in the store, with the log since then, until that is closed. */
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
