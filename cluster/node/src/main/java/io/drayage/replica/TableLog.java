package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotSelection;
import io.drayage.store.FullContents;
import io.drayage.store.column.TableRows;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes of one table in the log, in order, as the manifests of its cargoes describe them. No
 * values are read. A failure does not move the position. Not thread-safe.
 */
public final class TableLog implements AutoCloseable {
  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final String table;
  private LogPosition position;

  /** The number of rows of the table at the position, including deleted ones. */
  private long rows;

  private long droppedIn = -1;

  /**
   * A commit that changed the table. One that only inserts rows is a change for each of its
   * cargoes, so that these can be read apart.
   *
   * @param entry of the log
   * @param before the entry before it
   * @param createdMicros since 1970, by the clock of the primary
   * @param firstCargo the first cargo of the entry
   * @param endCargo the cargo after the last
   * @param rowsBefore number of rows of the table before, including deleted ones
   * @param updatedColumns types by name
   * @param changesRows whether rows are updated or deleted
   * @param rawBytes of its values in this table
   */
  public record Change(
      LogPosition entry,
      LogPosition before,
      long createdMicros,
      int firstCargo,
      int endCargo,
      long rowsBefore,
      Map<String, ColumnType> updatedColumns,
      boolean changesRows,
      long rawBytes)
      implements Serializable {
    @Serial private static final long serialVersionUID = 1;
  }

  /** The sums of some cargoes. */
  private static final class Sum {
    final Map<String, ColumnType> updated = new TreeMap<>();
    boolean changesRows;
    long inserted;
    long rawBytes;

    /** Adds the parts of one cargo. */
    void add(List<Part> parts) {
      long rows = 0;
      for (Part part : parts) {
        rawBytes += part.rawBytes();
        if (part.kind() == PartKind.INSERTED_VALUES) {
          rows = part.rowCount();
        } else {
          changesRows = true;
        }
        ColumnType type = part.type();
        if (part.kind() == PartKind.UPDATED_VALUES && type != null) {
          updated.put(part.column(), type);
        }
      }
      inserted += rows;
    }
  }

  private TableLog(
      SnapshotCatalog catalog, SnapshotLoader loader, String table, LogPosition full, long rows) {
    this.catalog = catalog;
    this.loader = loader;
    this.table = table;
    this.position = full;
    this.rows = rows;
  }

  /**
   * Opens the log after an entry.
   *
   * @param objects owned by the caller; must not be closed before this
   * @param after the entry, or the position of a full snapshot
   * @throws LogTrimmedException if the log no longer has the next entry
   * @throws ForeignDatabaseException if the store has another entry in its place
   */
  public static TableLog openAfter(
      ObjectStore objects, AllowedCodecs codecs, String table, LogPosition after)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotEntry full = fullUpTo(catalog, after.timestamp());
    SnapshotLoader loader = new SnapshotLoader(objects, 1, Long.MAX_VALUE, codecs);
    try (Begun begun = new Begun(loader::close)) {
      ChangeCargo described =
          loader.loadFull(
              full.manifest().full().rows(),
              new SnapshotSelection((each, column) -> !FullContents.isOfValues(each)));
      long rows = FullContents.rows(described).getOrDefault(table, TableRows.NONE).rowCount();
      TableLog log = new TableLog(catalog, loader, table, full.position(), rows);
      List<Change> unused = log.advance(after);
      return begun.keep(log);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException("%s is no database: %s".formatted(full.key(), e.getMessage()), e);
    }
  }

  /**
   * Finds the full snapshot from which on the changes after a snapshot are read. While it is
   * marked, the log since then stays.
   *
   * @throws LogTrimmedException if the log no longer has the next entry
   */
  public static SnapshotEntry fullUpTo(SnapshotCatalog catalog, long after) throws IOException {
    List<Long> fulls = catalog.fullTimestamps();
    if (!fulls.isEmpty() && fulls.get(0) > after) {
      throw new LogTrimmedException(catalog.store().name(), after + 1, fulls.get(0) + 1);
    }
    return catalog.fullUpTo(after);
  }

  /** The last snapshot up to now that drops the table, or replaces it; -1 without any. */
  public long droppedIn() {
    return droppedIn;
  }

  /** The last entry up to which changes were returned. */
  public LogPosition position() {
    return position;
  }

  /**
   * Returns the next changes, and moves the position. Changes before the last entry that drops the
   * table are left out: they are of another table.
   *
   * @param to the last entry
   * @throws LogTrimmedException if the log no longer has them
   * @throws ForeignDatabaseException if the store has another entry in its place
   */
  public List<Change> advance(LogPosition to) throws IOException {
    List<Change> changes = new ArrayList<>();
    LogPosition reached = position;
    long counted = rows;
    while (reached.timestamp() < to.timestamp()) {
      for (SnapshotEntry entry : entriesFrom(catalog, reached.timestamp() + 1)) {
        if (entry.manifest().timestamp() > to.timestamp()) {
          break;
        }
        entry.requireFollows(reached, catalog.store().name());
        if (entry.manifest().droppedTables().contains(table)) {
          changes.clear();
          counted = 0;
          droppedIn = entry.manifest().timestamp();
        }
        counted = add(entry, reached, counted, changes);
        reached = entry.position();
      }
    }
    if (!reached.equals(to)) {
      throw ForeignDatabaseException.ofEntry(catalog.store().name(), to, reached);
    }
    position = reached;
    rows = counted;
    return changes;
  }

  /**
   * Reads an entry of the log, and those that follow it in the same object.
   *
   * @throws LogTrimmedException if the log no longer has it
   */
  static List<SnapshotEntry> entriesFrom(SnapshotCatalog catalog, long timestamp)
      throws IOException {
    try {
      return catalog.entriesFrom(timestamp);
    } catch (ObjectMissingException e) {
      SnapshotEntry unused = fullUpTo(catalog, timestamp - 1);
      throw new SnapshotException(
          format("%s: snapshot %d is missing", catalog.store().name(), timestamp), e);
    }
  }

  /** Adds the changes of an entry. Returns the number of rows after it. */
  private long add(SnapshotEntry entry, LogPosition before, long rowsBefore, List<Change> changes)
      throws IOException {
    List<SnapshotContents> cargoes = entry.manifest().cargoes();
    List<Sum> sums = new ArrayList<>();
    Sum all = new Sum();
    for (SnapshotContents cargo : cargoes) {
      List<Part> parts =
          loader.manifest(cargo).parts().stream()
              .filter(part -> part.table().equals(table))
              .toList();
      Sum sum = new Sum();
      sum.add(parts);
      all.add(parts);
      sums.add(sum);
    }
    if (all.changesRows) {
      changes.add(change(entry, before, 0, cargoes.size(), rowsBefore, all));
      return rowsBefore + all.inserted;
    }
    long next = rowsBefore;
    for (int cargo = 0; cargo < sums.size(); cargo++) {
      Sum sum = sums.get(cargo);
      if (sum.inserted > 0) {
        changes.add(change(entry, before, cargo, cargo + 1, next, sum));
        next += sum.inserted;
      }
    }
    return next;
  }

  private static Change change(
      SnapshotEntry entry, LogPosition before, int first, int end, long rowsBefore, Sum sum) {
    return new Change(
        entry.position(),
        before,
        createdMicros(entry),
        first,
        end,
        rowsBefore,
        Map.copyOf(sum.updated),
        sum.changesRows,
        sum.rawBytes);
  }

  /** The time of an entry or a full snapshot in microseconds since 1970. */
  public static long createdMicros(SnapshotEntry entry) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, entry.manifest().created());
  }

  @Override
  public void close() {
    loader.close();
  }
}
