package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.segment.Segment;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotSelection;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.FullBounds;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.Bounds;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TableRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one snapshot in an object store. Each call reads only the wanted columns. Cleaning
 * keeps the snapshot in the store until this is closed. Not thread-safe.
 */
public final class SnapshotColumns implements AutoCloseable {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final SnapshotLoader loader;
  private final int threads;
  private final LoadingMarks.Marked mark;
  private final SnapshotContents contents;
  private final LogPosition full;
  private final long fullTimestamp;
  private final List<SnapshotEntry> log;

  /** The full snapshot's description of its tables, without their values. */
  private final ChangeCargo described;

  private final Map<String, List<ColumnSchema>> tables = new LinkedHashMap<>();

  /** The snapshot that made each table. */
  private final Map<String, Long> made = new HashMap<>();

  /**
   * The last entry of the log that drops each of these tables. Nothing of the table is read from
   * before: it was another one.
   */
  private final Map<String, Long> begins = new HashMap<>();

  /** Sizes by table; null until the first request. */
  private @Nullable Map<String, TableSize> sizes;

  private SnapshotColumns(
      ObjectStore objects,
      LoadingMarks.Marked mark,
      SnapshotEntry full,
      List<SnapshotEntry> log,
      int threads,
      AllowedCodecs codecs)
      throws IOException {
    this.threads = threads;
    this.log = log;
    this.full = full.position();
    this.fullTimestamp = full.manifest().timestamp();
    this.contents = full.manifest().full().rows();
    this.mark = mark;
    this.loader = new SnapshotLoader(objects, threads, Long.MAX_VALUE, codecs);
    try (Begun begun = new Begun(this::close)) {
      this.described =
          loader.loadFull(
              contents, new SnapshotSelection((table, column) -> !FullContents.isOfValues(table)));
      findTables();
      begun.keep();
    } catch (IllegalArgumentException e) {
      throw noDatabase(e);
    }
  }

  /** Finds the tables of the full snapshot, and those that were dropped and added since. */
  private void findTables() {
    tables.putAll(FullContents.schemas(described));
    made.putAll(FullContents.made(described));
    for (SnapshotEntry entry : log) {
      long timestamp = entry.manifest().timestamp();
      for (String dropped : entry.manifest().droppedTables()) {
        tables.remove(dropped);
        begins.put(dropped, timestamp);
      }
      for (TableSchema added : entry.manifest().newTables()) {
        if (tables.putIfAbsent(added.name(), added.columns()) == null) {
          made.put(added.name(), timestamp);
        }
      }
    }
  }

  private SnapshotException noDatabase(IllegalArgumentException e) {
    return new SnapshotException(
        format("full snapshot %d is no database: %s", fullTimestamp, e.getMessage()), e);
  }

  /**
   * Finds a snapshot and its tables.
   *
   * @param objects owned by the caller; must not be closed before this
   * @param threads number of threads that decode and apply
   * @param codecs the codecs that commits may have used
   * @param timestamp its number; empty for the newest
   * @throws SnapshotException if the store does not hold it; names the snapshots that it holds
   */
  public static SnapshotColumns open(
      ObjectStore objects, int threads, AllowedCodecs codecs, OptionalLong timestamp)
      throws IOException {
    return open(
        objects, new LoadingMarks(objects), threads, codecs, timestamp, null, Long.MAX_VALUE);
  }

  /**
   * Finds the snapshot that an entry of the log made.
   *
   * @param marks of all readers of this process, which outlive this; the caller owns their store
   * @throws ForeignDatabaseException if the store has another entry in its place
   */
  public static SnapshotColumns open(
      ObjectStore objects, LoadingMarks marks, int threads, AllowedCodecs codecs, LogPosition entry)
      throws IOException {
    return since(objects, marks, threads, codecs, entry, Long.MAX_VALUE);
  }

  /**
   * Finds a snapshot for a caller that will {@link #advance} columns of an earlier snapshot.
   *
   * @param from the number of the earlier snapshot
   * @throws SnapshotException also if the store no longer holds the log since then
   */
  public static SnapshotColumns since(
      ObjectStore objects,
      LoadingMarks marks,
      int threads,
      AllowedCodecs codecs,
      LogPosition entry,
      long from)
      throws IOException {
    OptionalLong timestamp = OptionalLong.of(entry.timestamp());
    return open(objects, marks, threads, codecs, timestamp, entry, from);
  }

  private static SnapshotColumns open(
      ObjectStore objects,
      LoadingMarks marks,
      int threads,
      AllowedCodecs codecs,
      OptionalLong timestamp,
      @Nullable LogPosition entry,
      long fullUpTo)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    long wanted = timestamp.orElse(Long.MAX_VALUE);
    SnapshotEntry full = catalog.fullUpTo(Math.min(wanted, fullUpTo));
    List<SnapshotEntry> log =
        catalog.after(full).stream().filter(each -> each.manifest().timestamp() <= wanted).toList();
    LogPosition reached = log.isEmpty() ? full.position() : log.get(log.size() - 1).position();
    if (timestamp.isPresent() && reached.timestamp() != wanted) {
      throw new SnapshotException(
          format(
              "%s does not hold snapshot %d, only up to %d",
              objects.name(), wanted, reached.timestamp()));
    }
    if (entry != null && !entry.equals(reached)) {
      throw ForeignDatabaseException.ofEntry(objects.name(), entry, reached);
    }
    LoadingMarks.Marked mark = marks.mark(full.manifest().timestamp());
    return new SnapshotColumns(objects, mark, full, log, threads, codecs);
  }

  /** The number of the snapshot. */
  public long timestamp() {
    return position(fullTimestamp + log.size()).timestamp();
  }

  /**
   * The position of an entry in the log that leads to this snapshot.
   *
   * @param timestamp its number, from {@link #fullTimestamp} on
   */
  public LogPosition position(long timestamp) {
    return timestamp == fullTimestamp
        ? full
        : log.get(Math.toIntExact(timestamp - fullTimestamp) - 1).position();
  }

  /** The columns of the tables, by the name of the table. */
  public Map<String, List<ColumnSchema>> tables() {
    return tables;
  }

  /** The snapshot that made a table, as in {@link StoredTable#made}. */
  public long made(String table) {
    return made.getOrDefault(table, 0L);
  }

  /**
   * Reads columns.
   *
   * @param wanted the columns, by table and name; a table without a wanted column is left out
   * @return the rows that are not deleted, as {@link StoreSnapshot#liveRows}, with these columns
   * @throws IOException if the store cannot be read, an object is corrupt, or a commit does not fit
   */
  public ChangeCargo read(BiPredicate<String, String> wanted) throws IOException {
    return snapshot(wanted).liveRows();
  }

  /** Reads columns as {@link #read}, but as they lie in the snapshot, with the deleted rows. */
  public StoreSnapshot snapshot(BiPredicate<String, String> wanted) throws IOException {
    return replay(base(wanted, null), wanted);
  }

  /**
   * Reads columns of one table.
   *
   * @param columns one or more
   * @return all rows of the table, with these columns
   * @throws IllegalArgumentException if there is no such table
   * @throws IOException as {@link #read}
   */
  public StoredTable table(String table, Set<String> columns) throws IOException {
    return table(table, columns, null);
  }

  /**
   * Reads pages of columns of one table.
   *
   * @param columns one or more
   * @param pages the needed pages, each of {@link ColumnValues#DEFAULT_ROWS_PER_PAGE} rows; null
   *     for all. The rows since the full snapshot are always read
   * @return all rows of the table, with these columns. Values of other pages mean nothing
   * @throws IllegalArgumentException if there is no such table
   * @throws IOException as {@link #read}
   */
  public StoredTable table(String table, Set<String> columns, @Nullable BitSet pages)
      throws IOException {
    BiPredicate<String, String> wanted =
        (each, column) -> each.equals(table) && columns.contains(column);
    return replay(base(wanted, pages), wanted).table(table);
  }

  /**
   * Counts the rows of a table, and finds the changes since the full snapshot. Reads no values of
   * the table.
   *
   * @throws IOException as {@link #read}
   */
  public ChangedRows rows(String table) throws IOException {
    Map<String, TableRows> full =
        begins.containsKey(table) ? Map.of() : FullContents.rows(described);
    ChangedRows.Builder rows = new ChangedRows.Builder(full.getOrDefault(table, TableRows.NONE));
    int first = (int) Math.max(0, begins.getOrDefault(table, 0L) - fullTimestamp - 1);
    loader.loadInOrder(
        log.subList(first, log.size()),
        new SnapshotSelection((each, column) -> each.equals(table), ChangedRows::isNeeded),
        (entry, cargoes) -> {
          for (ChangeCargo next = cargoes.next(); next != null; next = cargoes.next()) {
            next.tables().forEach(rows::add);
          }
        });
    return rows.build();
  }

  /**
   * Reads the bounds of columns in the full snapshot.
   *
   * @return by the name of the column and the number of the page, null for pages that are not
   *     stored; a column that is not stored, or was stored by an earlier version, is left out, as
   *     are all columns of a table that was made since
   * @throws IOException as {@link #read}
   */
  public Map<String, @Nullable Bounds[]> bounds(String table, Collection<String> columns)
      throws IOException {
    if (begins.containsKey(table)) {
      return Map.of();
    }
    Map<String, FullBounds.Place> places = FullBounds.places(described, table, columns);
    ChangeCargo loaded =
        loader.loadFull(
            contents,
            new SnapshotSelection(
                (each, column) -> each.equals(FullBounds.BOUNDS),
                segment ->
                    places.values().stream()
                        .anyMatch(at -> at.hasAnyOf(segment.firstRow(), segment.rowCount()))));
    Map<String, @Nullable Bounds[]> bounds = new HashMap<>();
    if (!loaded.tables().isEmpty()) {
      try {
        places.forEach(
            (column, place) -> bounds.put(column, FullBounds.read(loaded.tables().get(0), place)));
      } catch (IllegalArgumentException e) {
        throw noDatabase(e);
      }
    }
    return bounds;
  }

  /**
   * Advances the columns of a table in an earlier snapshot to this one. Unchanged pages are shared.
   * If the table was dropped and made again meanwhile, reads these columns of the new one.
   *
   * @param from the number of the earlier snapshot, from {@link #fullTimestamp} on
   * @throws IOException as {@link #read}
   */
  public StoredTable advance(StoredTable earlier, long from) throws IOException {
    String table = earlier.schema().name();
    if (begins.getOrDefault(table, 0L) > from) {
      return table(
          table,
          earlier.schema().columns().stream().map(ColumnSchema::name).collect(Collectors.toSet()));
    }
    BiPredicate<String, String> wanted =
        (each, column) -> each.equals(table) && earlier.schema().indexOf(column) >= 0;
    return replay(StoreSnapshot.of(from, earlier), wanted).table(table);
  }

  /** The full snapshot that is loaded first. The log leads from it to this snapshot. */
  public long fullTimestamp() {
    return fullTimestamp;
  }

  /** The approximate size of a table, from the manifests of its cargoes. */
  public TableSize size(String table) throws IOException {
    return sizes().getOrDefault(table, TableSize.NONE);
  }

  /** The approximate sizes of all tables that are not empty, by name. */
  public Map<String, TableSize> sizes() throws IOException {
    if (sizes == null) {
      sizes = TableSize.of(described, loader, contents, log, begins);
    }
    return sizes;
  }

  private StoreSnapshot replay(StoreSnapshot base, BiPredicate<String, String> wanted)
      throws IOException {
    MemoryStore store =
        new MemoryStore(base, KnownTransactions.NONE, ForkJoinPool.commonPool(), threads, 0);
    List<SnapshotEntry> rest = log.subList((int) (base.timestamp() - fullTimestamp), log.size());
    for (int first = 0; first < rest.size(); ) {
      int end = first + 1;
      while (end < rest.size() && rest.get(end).manifest().droppedTables().isEmpty()) {
        end++;
      }
      replay(rest.subList(first, end), wanted, store);
      first = end;
    }
    return store.snapshot();
  }

  /** Replays entries of which only the first one may drop tables. */
  private void replay(
      List<SnapshotEntry> entries, BiPredicate<String, String> wanted, MemoryStore store)
      throws IOException {
    long first = entries.get(0).manifest().timestamp();
    loader.loadInOrder(
        entries,
        new SnapshotSelection(
            (table, column) ->
                first >= begins.getOrDefault(table, 0L)
                    && (column.isEmpty() ? wantsAny(table, wanted) : wanted.test(table, column))),
        // Not compared, because some columns have no digest.
        (entry, cargoes) -> {
          AppliedDiffersException unused =
              ReplicaCopy.replay(store, entry, cargoes, ReplicaCopy.Differences.IGNORED);
        });
  }

  private boolean wantsAny(String table, BiPredicate<String, String> wanted) {
    return tables.getOrDefault(table, List.of()).stream()
        .anyMatch(column -> wanted.test(table, column.name()));
  }

  private StoreSnapshot base(BiPredicate<String, String> wanted, @Nullable BitSet pages)
      throws IOException {
    BiPredicate<String, String> kept =
        (table, column) -> !begins.containsKey(table) && wanted.test(table, column);
    Map<String, String> tableOf = FullContents.tablesOfValues(described);
    Map<String, int[]> pagesOf = pages == null ? Map.of() : FullContents.pagesOfValues(described);
    ChangeCargo values =
        loader.loadFull(
            contents,
            new SnapshotSelection(
                (table, column) ->
                    tableOf.containsKey(table) && kept.test(tableOf.get(table), column),
                segment -> pages == null || hasAny(segment, pagesOf, pages)));
    List<TableChanges> parts = new ArrayList<>(described.tables());
    parts.addAll(values.tables());
    try {
      return FullContents.toSnapshot(
          fullTimestamp, parts, (table, column) -> kept.test(table, column.name()) ? column : null);
    } catch (IllegalArgumentException e) {
      throw noDatabase(e);
    }
  }

  /** Whether a segment of values has rows of one of some pages. */
  private static boolean hasAny(Segment segment, Map<String, int[]> pagesOf, BitSet pages) {
    int[] stored = pagesOf.getOrDefault(segment.part().table(), new int[0]);
    long end = segment.firstRow() + segment.rowCount();
    long first = segment.firstRow() / PAGE_ROWS;
    for (int i = (int) first; i < stored.length && (long) i * PAGE_ROWS < end; i++) {
      if (pages.get(stored[i])) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    loader.close();
    mark.close();
  }
}
