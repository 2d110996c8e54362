package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LogPosition;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.TableSize;
import io.drayage.snapshot.SnapshotException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageStore;
import io.drayage.spark.database.Shared;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a database that the tasks of this JVM share, or some pages of them. A missing column
 * is loaded only once for all tasks: from an earlier snapshot of it and the log since, or else from
 * a full snapshot. The cache keeps the columns that were used last, up to a limit of bytes, and of
 * snapshots of each. It also finds other columns that a task still reads. Thread-safe.
 */
public final class ColumnCache implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ColumnCache.class.getName());
  private static final long PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  static final int THREADS = Runtime.getRuntime().availableProcessors();

  private static final Shared<ColumnCache> CACHES =
      new Shared<>(options -> new ColumnCache(DrayageStore.of(options), options.cacheBytes()));

  /** The limit of kept snapshots of a column, even if the column is small. */
  private static final int MAX_VERSIONS = 8;

  private final DrayageStore store;
  private final long maxBytes;

  /** The kept columns, ordered by their last use. Guarded by this. */
  private final Map<Key, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** The columns that are kept or still read. Guarded by this. */
  private final Map<Key, WeakReference<StoredTable>> known = new HashMap<>();

  /** Guarded by this. */
  private long keptBytes;

  /** The lock of each table for loading its columns. Guarded by this. */
  private final Map<String, Object> loading = new HashMap<>();

  /**
   * @param pages the pages that are loaded of the column; null for all
   */
  private record Key(String table, String column, LogPosition snapshot, @Nullable BitSet pages) {}

  /** A table of one column. */
  private record Kept(StoredTable column, long bytes) {}

  /**
   * @param store stays the caller's
   * @param maxBytes limit of kept bytes
   */
  ColumnCache(DrayageStore store, long maxBytes) {
    this.store = store;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the cache of this JVM. It needs only the store, not the cluster.
   *
   * @throws IOException if a new one cannot use the store
   */
  public static ColumnCache of(DrayageOptions options) throws IOException {
    return CACHES.of(options);
  }

  /**
   * Returns columns of a table in a snapshot, with all rows.
   *
   * @param columns one or more
   * @param snapshot the entry of the log that made it
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold the snapshot any more
   * @throws io.drayage.database.ForeignDatabaseException if another one is in its place
   * @throws IOException if the columns cannot be read
   */
  public StoredTable get(String table, Collection<String> columns, LogPosition snapshot)
      throws IOException {
    return get(table, columns, snapshot, null, new LongAdder());
  }

  /**
   * Returns pages of columns of a table in a snapshot. Loads only these pages of a column that is
   * not there as a whole, in this or an earlier snapshot.
   *
   * @param pages the needed pages; null for all
   * @param readBytes counts the bytes that this call reads from the store
   * @return the table with all rows. Values of other pages mean nothing
   */
  StoredTable get(
      String table,
      Collection<String> columns,
      LogPosition snapshot,
      @Nullable BitSet pages,
      LongAdder readBytes)
      throws IOException {
    Set<String> wanted = new TreeSet<>(columns);
    Map<String, StoredTable> found = find(table, wanted, snapshot, pages);
    if (found.size() < wanted.size()) {
      synchronized (loadingOf(table)) {
        found = find(table, wanted, snapshot, pages);
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(found.keySet());
        if (!missing.isEmpty()) {
          found.putAll(load(table, missing, snapshot, pages, readBytes));
        }
      }
    }
    return together(found.values());
  }

  /**
   * Keeps columns of a table in a snapshot that were made of an earlier one and the log since.
   *
   * @param columns all rows of the table, with these columns
   */
  void put(StoredTable columns, LogPosition snapshot) {
    Map<String, StoredTable> each = new HashMap<>();
    split(columns, each);
    each.forEach(
        (column, values) -> keep(new Key(columns.schema().name(), column, snapshot, null), values));
  }

  private synchronized Object loadingOf(String table) {
    return loading.computeIfAbsent(table, name -> new Object());
  }

  private synchronized Map<String, StoredTable> find(
      String table, Set<String> columns, LogPosition snapshot, @Nullable BitSet pages) {
    Map<String, StoredTable> found = new LinkedHashMap<>();
    for (String column : columns) {
      StoredTable shared = find(new Key(table, column, snapshot, null));
      if (shared == null && pages != null) {
        shared = find(new Key(table, column, snapshot, pages));
      }
      if (shared != null) {
        found.put(column, shared);
      }
    }
    return found;
  }

  private synchronized @Nullable StoredTable find(Key key) {
    Kept used = kept.get(key);
    return used == null ? shared(key) : used.column;
  }

  private @Nullable StoredTable shared(Key key) {
    WeakReference<StoredTable> reference = known.get(key);
    return reference == null ? null : reference.get();
  }

  private Map<String, StoredTable> load(
      String table,
      Set<String> missing,
      LogPosition snapshot,
      @Nullable BitSet pages,
      LongAdder readBytes)
      throws IOException {
    Map<String, StoredTable> loaded = new HashMap<>();
    // These references keep the columns while memory is released.
    SortedMap<LogPosition, Map<String, StoredTable>> earlier = earlier(table, missing, snapshot);
    if (!earlier.isEmpty()) {
      advance(earlier, snapshot, loaded, readBytes);
    }
    loaded.forEach((column, values) -> keep(new Key(table, column, snapshot, null), values));
    Set<String> rest = new TreeSet<>(missing);
    rest.removeAll(loaded.keySet());
    if (!rest.isEmpty()) {
      Map<String, StoredTable> others = new HashMap<>();
      try (SnapshotColumns source = store.open(THREADS, snapshot, readBytes)) {
        makeRoom(source.size(table), rest, pages);
        split(source.table(table, rest, pages), others);
      }
      others.forEach((column, values) -> keep(new Key(table, column, snapshot, pages), values));
      loaded.putAll(others);
    }
    return loaded;
  }

  /**
   * Updates columns from the log, if the store still has the log of the same database since then.
   */
  private void advance(
      SortedMap<LogPosition, Map<String, StoredTable>> earlier,
      LogPosition snapshot,
      Map<String, StoredTable> advanced,
      LongAdder readBytes)
      throws IOException {
    long first = earlier.firstKey().timestamp();
    try (SnapshotColumns source = store.since(THREADS, snapshot, first, readBytes)) {
      for (Map.Entry<LogPosition, Map<String, StoredTable>> each : earlier.entrySet()) {
        long from = each.getKey().timestamp();
        if (source.position(from).equals(each.getKey())) {
          split(source.advance(together(each.getValue().values()), from), advanced);
        }
      }
    } catch (SnapshotException e) {
      LOG.log(Level.DEBUG, "columns are loaded anew: {0}", e.getMessage());
    }
  }

  /** Returns the newest earlier snapshot of each known column, by the snapshot's number. */
  private synchronized SortedMap<LogPosition, Map<String, StoredTable>> earlier(
      String table, Set<String> columns, LogPosition before) {
    Map<String, LogPosition> newest = new HashMap<>();
    for (Key key : known.keySet()) {
      if (key.table.equals(table)
          && columns.contains(key.column)
          && key.pages == null
          && before.follows(key.snapshot)
          && shared(key) != null) {
        newest.merge(key.column, key.snapshot, (one, other) -> one.follows(other) ? one : other);
      }
    }
    SortedMap<LogPosition, Map<String, StoredTable>> bySnapshot =
        new TreeMap<>(
            Comparator.comparingLong(LogPosition::timestamp)
                .thenComparingInt(LogPosition::checksum));
    newest.forEach(
        (column, snapshot) -> {
          StoredTable values = shared(new Key(table, column, snapshot, null));
          if (values != null) {
            bySnapshot.computeIfAbsent(snapshot, n -> new HashMap<>()).put(column, values);
          }
        });
    return bySnapshot;
  }

  private static void split(StoredTable table, Map<String, StoredTable> columns) {
    for (StoredColumn column : table.columns()) {
      columns.put(column.schema().name(), of(table, List.of(column)));
    }
  }

  private static StoredTable together(Collection<StoredTable> columns) {
    List<StoredColumn> all = new ArrayList<>();
    columns.forEach(each -> all.addAll(each.columns()));
    return of(columns.iterator().next(), all);
  }

  private static StoredTable of(StoredTable table, List<StoredColumn> columns) {
    TableSchema schema =
        new TableSchema(table.schema().name(), columns.stream().map(StoredColumn::schema).toList());
    return new StoredTable(schema, table.rowCount(), table.deleted(), columns);
  }

  /** Evicts columns before others are loaded, to make space for these. */
  private synchronized void makeRoom(TableSize size, Set<String> columns, @Nullable BitSet pages) {
    long bytes = columns.stream().mapToLong(size::bytes).sum();
    long rows = pages == null ? size.rows() : pages.cardinality() * PAGE_ROWS;
    double share = Math.min(1, (double) rows / Math.max(1, size.rows()));
    evict(maxBytes - Math.min(maxBytes, (long) (bytes * share)));
  }

  private synchronized void keep(Key key, StoredTable column) {
    long bytes = column.memoryBytes();
    known.values().removeIf(reference -> reference.get() == null);
    forgetOthers(key.snapshot.database());
    known.put(key, new WeakReference<>(column));
    if (bytes <= maxBytes && !kept.containsKey(key)) {
      evictVersions(key);
      evict(maxBytes - bytes);
      kept.put(key, new Kept(column, bytes));
      keptBytes += bytes;
    }
  }

  /** Forgets the columns of a database that was replaced. */
  private void forgetOthers(UUID now) {
    Predicate<Key> isOther = key -> !key.snapshot.database().equals(now);
    known.keySet().removeIf(isOther);
    for (Iterator<Map.Entry<Key, Kept>> each = kept.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Key, Kept> entry = each.next();
      if (isOther.test(entry.getKey())) {
        keptBytes -= entry.getValue().bytes;
        each.remove();
      }
    }
  }

  /** Evicts the oldest snapshots of a column at the limit, for another one. */
  private void evictVersions(Key added) {
    List<Key> versions =
        kept.keySet().stream()
            .filter(each -> each.table.equals(added.table) && each.column.equals(added.column))
            .toList();
    for (int i = 0; i <= versions.size() - MAX_VERSIONS; i++) {
      Kept oldest = kept.remove(versions.get(i));
      keptBytes -= oldest == null ? 0 : oldest.bytes;
    }
  }

  private void evict(long allowedBytes) {
    Iterator<Kept> oldest = kept.values().iterator();
    while (keptBytes > allowedBytes) {
      keptBytes -= oldest.next().bytes;
      oldest.remove();
    }
  }

  /** Returns the kept bytes. */
  synchronized long keptBytes() {
    return keptBytes;
  }

  /** Returns the number of columns that are kept or read, or were read at the last addition. */
  synchronized int knownColumns() {
    return known.size();
  }

  @Override
  public synchronized void close() {
    kept.clear();
    known.clear();
    keptBytes = 0;
  }

  @Override
  public synchronized String toString() {
    return format("ColumnCache[%,d columns, %,d of %,d bytes]", kept.size(), keptBytes, maxBytes);
  }
}
