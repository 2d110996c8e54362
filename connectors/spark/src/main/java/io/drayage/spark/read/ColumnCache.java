package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a database that the tasks of this JVM share. One that is missing is loaded once,
 * however many tasks ask for it: from an earlier snapshot of it and the log since, or else from a
 * full snapshot. The columns that were used last are kept, up to a number of bytes and of snapshots
 * of each; those that a task still reads are found beyond that, too. Thread-safe.
 */
public final class ColumnCache implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ColumnCache.class.getName());
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private static final Shared<ColumnCache> CACHES =
      new Shared<>(options -> new ColumnCache(DrayageStore.of(options), options.cacheBytes()));

  /** The most snapshots of a column that are kept, however small it is. */
  private static final int MAX_VERSIONS = 8;

  private final DrayageStore store;
  private final long maxBytes;

  /** Those that are kept, the one that was used last at the end. Guarded by this. */
  private final Map<Key, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** Those that are kept or still read. Guarded by this. */
  private final Map<Key, WeakReference<StoredTable>> known = new HashMap<>();

  /** Guarded by this. */
  private long keptBytes;

  /** For each table what is held while columns of it are loaded. Guarded by this. */
  private final Map<String, Object> loading = new HashMap<>();

  private record Key(String table, String column, LogPosition snapshot) {}

  /** A table of one column. */
  private record Kept(StoredTable column, long bytes) {}

  /**
   * @param store stays the caller's
   * @param maxBytes how much is kept
   */
  ColumnCache(DrayageStore store, long maxBytes) {
    this.store = store;
    this.maxBytes = maxBytes;
  }

  /**
   * The cache of this JVM. It needs the store alone, not the cluster.
   *
   * @throws IOException if there is none yet and the store cannot be used
   */
  public static ColumnCache of(DrayageOptions options) throws IOException {
    return CACHES.of(options);
  }

  /**
   * Columns of a table in a snapshot, with all rows.
   *
   * @param columns one or more
   * @param snapshot the entry of the log that made it
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold the snapshot any more
   * @throws io.drayage.database.ForeignDatabaseException if the store has another in its place
   * @throws IOException if they cannot be read
   */
  public StoredTable get(String table, Collection<String> columns, LogPosition snapshot)
      throws IOException {
    Set<String> wanted = new TreeSet<>(columns);
    Map<String, StoredTable> found = find(table, wanted, snapshot);
    if (found.size() < wanted.size()) {
      synchronized (loadingOf(table)) {
        found = find(table, wanted, snapshot);
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(found.keySet());
        if (!missing.isEmpty()) {
          found.putAll(load(table, missing, snapshot));
        }
      }
    }
    return together(found.values());
  }

  private synchronized Object loadingOf(String table) {
    return loading.computeIfAbsent(table, name -> new Object());
  }

  private synchronized Map<String, StoredTable> find(
      String table, Set<String> columns, LogPosition snapshot) {
    Map<String, StoredTable> found = new LinkedHashMap<>();
    for (String column : columns) {
      Key key = new Key(table, column, snapshot);
      Kept used = kept.get(key);
      StoredTable shared = used == null ? shared(key) : used.column;
      if (shared != null) {
        found.put(column, shared);
      }
    }
    return found;
  }

  private @Nullable StoredTable shared(Key key) {
    WeakReference<StoredTable> reference = known.get(key);
    return reference == null ? null : reference.get();
  }

  private Map<String, StoredTable> load(String table, Set<String> missing, LogPosition snapshot)
      throws IOException {
    Map<String, StoredTable> loaded = new HashMap<>();
    // Held from here on, so that making room does not lose them.
    SortedMap<LogPosition, Map<String, StoredTable>> earlier = earlier(table, missing, snapshot);
    if (!earlier.isEmpty()) {
      advance(earlier, snapshot, loaded);
    }
    Set<String> rest = new TreeSet<>(missing);
    rest.removeAll(loaded.keySet());
    if (!rest.isEmpty()) {
      try (SnapshotColumns source = store.open(THREADS, snapshot)) {
        makeRoom(source.size(table), rest);
        split(source.table(table, rest), loaded);
      }
    }
    loaded.forEach((column, values) -> keep(new Key(table, column, snapshot), values));
    return loaded;
  }

  /**
   * Brings columns up to date, if the store still has the log since then, and that is the one that
   * they are of.
   */
  private void advance(
      SortedMap<LogPosition, Map<String, StoredTable>> earlier,
      LogPosition snapshot,
      Map<String, StoredTable> advanced)
      throws IOException {
    try (SnapshotColumns source = store.since(THREADS, snapshot, earlier.firstKey().timestamp())) {
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

  /** For columns that are known from earlier snapshots, the newest of them, by its number. */
  private synchronized SortedMap<LogPosition, Map<String, StoredTable>> earlier(
      String table, Set<String> columns, LogPosition before) {
    Map<String, LogPosition> newest = new HashMap<>();
    for (Key key : known.keySet()) {
      if (key.table.equals(table)
          && columns.contains(key.column)
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
          StoredTable values = shared(new Key(table, column, snapshot));
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

  /** Lets go of what the columns to come leave no room for, before they are loaded. */
  private synchronized void makeRoom(TableSize size, Set<String> columns) {
    evict(maxBytes - Math.min(maxBytes, columns.stream().mapToLong(size::bytes).sum()));
  }

  private synchronized void keep(Key key, StoredTable column) {
    long bytes = column.memoryBytes();
    known.values().removeIf(reference -> reference.get() == null);
    forgetOthers(key.snapshot.database());
    known.put(key, new WeakReference<>(column));
    if (bytes <= maxBytes) {
      evictVersions(key);
      evict(maxBytes - bytes);
      kept.put(key, new Kept(column, bytes));
      keptBytes += bytes;
    }
  }

  /** Lets go of what is of a database that was here before. */
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

  /** Makes room for another snapshot of a column, if as many as may be are kept. */
  private void evictVersions(Key added) {
    List<Key> versions = new ArrayList<>();
    for (Key each : kept.keySet()) {
      if (each.table.equals(added.table) && each.column.equals(added.column)) {
        versions.add(each);
      }
    }
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

  /** How much is kept. */
  synchronized long keptBytes() {
    return keptBytes;
  }

  /** How many columns are kept, read, or were read when one was kept last. */
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
