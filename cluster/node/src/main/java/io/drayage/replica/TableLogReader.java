package io.drayage.replica;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.SnapshotSelection;
import io.drayage.store.AppliedChanges;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Reads some columns of consecutive changes of a table. Changes that only insert rows are read from
 * their cargoes alone. The first change of rows needs the table before it, to which this and all
 * later changes are applied. One use; not thread-safe.
 */
public final class TableLogReader implements AutoCloseable {
  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final int threads;
  private final String table;
  private final Set<String> wanted;
  private final Base base;
  private final List<TableLog.Change> changes;
  private int next;

  /** The rest of the last object of the log that was read. */
  private List<SnapshotEntry> together = List.of();

  /** The table after the last change; null before the first change of rows. */
  private @Nullable StoredTable current;

  /** Finds the wanted columns of the table in a snapshot. */
  @FunctionalInterface
  public interface Base {
    /** Returns them with all rows. */
    StoredTable load(LogPosition snapshot) throws IOException;
  }

  /**
   * The rows that a change inserted, updated or deleted. The inserted rows are those of {@code
   * after} from the number of rows of {@code before} on. A row that is updated and deleted is
   * deleted.
   *
   * @param before the table before it, without values if no row is updated or deleted
   * @param updated the numbers of the updated rows, ascending
   * @param deleted the numbers of the deleted rows, ascending
   */
  public record ChangedRows(
      TableLog.Change change,
      StoredTable before,
      StoredTable after,
      ColumnValues updated,
      ColumnValues deleted) {}

  /**
   * @param objects owned by the caller; must not be closed before this
   * @param threads number of threads that decode and apply
   * @param wanted names of columns, one or more
   */
  public TableLogReader(
      ObjectStore objects,
      int threads,
      AllowedCodecs codecs,
      String table,
      Set<String> wanted,
      List<TableLog.Change> changes,
      Base base) {
    this.catalog = new SnapshotCatalog(objects);
    this.loader = new SnapshotLoader(objects, threads, Long.MAX_VALUE, codecs);
    this.threads = threads;
    this.table = table;
    this.wanted = wanted;
    this.base = base;
    this.changes = changes;
  }

  /**
   * Reads the next change; null if there is none.
   *
   * @throws LogTrimmedException if the log no longer has it
   * @throws ForeignDatabaseException if the store has another entry in its place
   */
  public @Nullable ChangedRows next() throws IOException {
    if (next == changes.size()) {
      return null;
    }
    TableLog.Change change = changes.get(next);
    if (change.changesRows() && current == null) {
      current = withUpdated(base.load(change.before()));
    }
    StoredTable before = current;
    ChangedRows read = before == null ? inserted(change) : replayed(change, before);
    next++;
    return read;
  }

  /** The wanted columns after the last change; null if no change has needed the table. */
  public @Nullable StoredTable current() {
    return current == null ? null : only(current, wanted);
  }

  private static StoredTable only(StoredTable table, Set<String> columns) {
    return of(
        table,
        table.columns().stream().filter(each -> columns.contains(each.schema().name())).toList());
  }

  private static StoredTable of(StoredTable table, List<StoredColumn> columns) {
    TableSchema schema =
        new TableSchema(table.schema().name(), columns.stream().map(StoredColumn::schema).toList());
    return new StoredTable(schema, table.rowCount(), table.deleted(), columns);
  }

  /**
   * Adds the other columns that the next changes update, because an update of any column changes
   * its row. Their values before are not needed.
   */
  private StoredTable withUpdated(StoredTable found) {
    Map<String, ColumnType> others = new TreeMap<>();
    changes.subList(next, changes.size()).forEach(each -> others.putAll(each.updatedColumns()));
    others.keySet().removeAll(wanted);
    List<StoredColumn> columns = new ArrayList<>(found.columns());
    others.forEach(
        (name, type) ->
            columns.add(
                StoredColumn.ofDefaults(new ColumnSchema(name, type, true), found.rowCount())));
    return of(found, columns);
  }

  private ChangedRows inserted(TableLog.Change change) throws IOException {
    List<StoredColumn> before = new ArrayList<>();
    List<StoredColumn> after = new ArrayList<>();
    load(
        change,
        wanted,
        (entry, cargoes) -> {
          ChangeCargo cargo = Objects.requireNonNull(cargoes.next());
          for (TableChanges rows : cargo.tables()) {
            for (InsertedColumn column : rows.insertedColumns()) {
              ColumnValues values = column.values();
              ColumnSchema schema = new ColumnSchema(column.column(), values.type(), true);
              StoredColumn earlier = StoredColumn.ofDefaults(schema, change.rowsBefore());
              before.add(earlier);
              after.add(earlier.append(Extent.adopt(values, change.rowsBefore())));
            }
          }
        });
    if (after.isEmpty()) {
      throw new SnapshotException("%s has no rows for table '%s'".formatted(change.entry(), table));
    }
    return new ChangedRows(
        change,
        table(change.rowsBefore(), before),
        table(after.get(0).rowCount(), after),
        noRows(),
        noRows());
  }

  private StoredTable table(long rows, List<StoredColumn> columns) {
    TableSchema schema =
        new TableSchema(table, columns.stream().map(StoredColumn::schema).toList());
    return new StoredTable(schema, rows, DeletedRows.NONE, columns);
  }

  private ChangedRows replayed(TableLog.Change change, StoredTable before) throws IOException {
    MemoryStore store =
        new MemoryStore(
            StoreSnapshot.of(change.before().timestamp(), before),
            KnownTransactions.NONE,
            ForkJoinPool.commonPool(),
            threads,
            0);
    Set<String> columns = new TreeSet<>();
    before.columns().forEach(column -> columns.add(column.schema().name()));
    load(
        change,
        columns,
        (entry, cargoes) -> {
          AppliedDiffersException unused =
              ReplicaCopy.replay(
                  store, entry, withoutNewTables(cargoes), ReplicaCopy.Differences.IGNORED);
        });
    StoredTable after = store.snapshot().table(table);
    current = after;
    return new ChangedRows(
        change, before, after, updated(store.lastApplied(), after), deleted(before, after));
  }

  /** Leaves the table out if it is added again, because some of its columns are missing here. */
  private static SnapshotLoader.EntryCargoes withoutNewTables(SnapshotLoader.EntryCargoes all) {
    return () -> {
      ChangeCargo cargo = all.next();
      return cargo == null ? null : cargo.adding(List.of());
    };
  }

  private ColumnValues updated(@Nullable AppliedChanges changed, StoredTable after) {
    ColumnBuilder rows = new ColumnBuilder(ColumnType.LONG);
    if (changed != null) {
      AppliedChanges.UpdatedRows each = changed.updatedRows(table);
      while (each.next()) {
        if (!after.isDeleted(each.row())) {
          rows.addLong(each.row());
        }
      }
    }
    return rows.build();
  }

  private static ColumnValues deleted(StoredTable before, StoredTable after) {
    if (after.deleted().count() == before.deleted().count()) {
      return noRows();
    }
    RowBits deleted = after.deleted().minus(before.deleted(), before.rowCount());
    return deleted.ids();
  }

  private static ColumnValues noRows() {
    return ColumnValues.allocate(ColumnType.LONG, 0, false);
  }

  /** Loads columns of the cargoes of a change. */
  private void load(TableLog.Change change, Set<String> columns, SnapshotLoader.EntryUse use)
      throws IOException {
    loader.loadInOrder(
        List.of(part(entry(change), change)),
        new SnapshotSelection(
            (each, column) -> each.equals(table) && (column.isEmpty() || columns.contains(column))),
        use);
  }

  private SnapshotEntry entry(TableLog.Change change) throws IOException {
    long timestamp = change.entry().timestamp();
    Iterator<SnapshotEntry> rest = together.iterator();
    SnapshotEntry found = null;
    while (rest.hasNext() && found == null) {
      SnapshotEntry each = rest.next();
      found = each.manifest().timestamp() == timestamp ? each : null;
    }
    if (found == null) {
      together = TableLog.entriesFrom(catalog, timestamp);
      found = together.get(0);
    }
    if (!found.position().equals(change.entry())) {
      throw ForeignDatabaseException.ofEntry(
          catalog.store().name(), change.entry(), found.position());
    }
    return found;
  }

  /** Returns an entry with the cargoes of a change alone. */
  private static SnapshotEntry part(SnapshotEntry entry, TableLog.Change change) {
    SnapshotManifest whole = entry.manifest();
    if (!(whole.kind() instanceof SnapshotKind.Commit commit)) {
      throw new IllegalStateException(entry.name() + " is no commit");
    }
    SnapshotKind.Commit part =
        new SnapshotKind.Commit(
            commit.transaction(),
            commit.applied(),
            commit.droppedTables(),
            commit.newTables(),
            commit.cargoes().subList(change.firstCargo(), change.endCargo()));
    return new SnapshotEntry(
        new SnapshotManifest(
            part,
            whole.database(),
            whole.timestamp(),
            whole.epoch(),
            whole.parentChecksum(),
            whole.created()),
        entry.checksum());
  }

  @Override
  public void close() {
    loader.close();
  }
}
