package io.drayage.spark.database;

import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.TableLog;
import io.drayage.replica.TableLogReader;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

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
    return open(threads, entry, new LongAdder());
  }

  /**
   * Finds a snapshot as {@link #open(int, LogPosition)}.
   *
   * @param readBytes counts the bytes that are read from the store
   */
  public SnapshotColumns open(int threads, LogPosition entry, LongAdder readBytes)
      throws IOException {
    return SnapshotColumns.open(
        new Counted(objects, readBytes), marks, threads, AllowedCodecs.DATA_ONLY, entry);
  }

  /**
   * Finds columns of an earlier snapshot, as {@link SnapshotColumns#since} does.
   *
   * @param readBytes counts the bytes that are read from the store
   */
  public SnapshotColumns since(int threads, LogPosition entry, long from, LongAdder readBytes)
      throws IOException {
    return SnapshotColumns.since(
        new Counted(objects, readBytes), marks, threads, AllowedCodecs.DATA_ONLY, entry, from);
  }

  /** A store that counts the bytes that are read. It must not be closed. */
  private static final class Counted extends ForwardingStore {
    private final LongAdder readBytes;

    Counted(ObjectStore store, LongAdder readBytes) {
      super(store);
      this.readBytes = readBytes;
    }

    @Override
    public void read(String key, long offset, ByteBuffer target) throws IOException {
      int bytes = target.remaining();
      super.read(key, offset, target);
      readBytes.add(bytes);
    }
  }

  /** Opens the log of a table, as {@link TableLog#openAfter} does. */
  public TableLog log(String table, LogPosition after) throws IOException {
    return TableLog.openAfter(objects, AllowedCodecs.DATA_ONLY, table, after);
  }

  /** Reads columns of changes, as {@link TableLogReader} does. */
  public TableLogReader read(
      int threads,
      String table,
      Set<String> columns,
      List<TableLog.Change> changes,
      TableLogReader.Base base) {
    return new TableLogReader(
        objects, threads, AllowedCodecs.DATA_ONLY, table, columns, changes, base);
  }

  /** Returns the entry that made a snapshot, or the full snapshot that has replaced it. */
  public SnapshotEntry made(long snapshot) throws IOException {
    try {
      return catalog().entry(snapshot);
    } catch (ObjectMissingException e) {
      return catalog().full(snapshot);
    }
  }

  /**
   * Fails if the store no longer has the changes after a snapshot.
   *
   * @throws io.drayage.replica.LogTrimmedException in that case
   */
  public void requireChangesAfter(long snapshot) throws IOException {
    SnapshotEntry unused = TableLog.fullUpTo(catalog(), snapshot);
  }

  /**
   * Keeps the changes after a snapshot in the store, until the mark is closed.
   *
   * @throws io.drayage.replica.LogTrimmedException if the log no longer has them
   */
  public LoadingMarks.Marked markAfter(long snapshot) throws IOException {
    return mark(TableLog.fullUpTo(catalog(), snapshot).manifest().timestamp());
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
