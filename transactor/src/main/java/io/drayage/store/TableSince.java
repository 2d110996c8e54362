package io.drayage.store;

import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.List;

/**
 * What others changed in one table since the snapshot on which a cargo was made, and what is to
 * happen if the cargo changed the same. Immutable, for any thread.
 */
final class TableSince {
  private final long baseSnapshot;
  private final StoredTable table;
  private final long baseRows;
  private final List<TableFootprint> later;
  private final Mode mode;

  private enum Mode {
    REJECT,
    OVERWRITE,
    /** It was decided elsewhere that the cargo takes effect. */
    REPLAY
  }

  private TableSince(
      long baseSnapshot, StoredTable table, long baseRows, List<TableFootprint> later, Mode mode) {
    this.baseSnapshot = baseSnapshot;
    this.table = table;
    this.baseRows = baseRows;
    this.later = later;
    this.mode = mode;
  }

  /**
   * Since a snapshot.
   *
   * @param table as it is now
   * @param commits all commits after the snapshot {@code baseSnapshot}, oldest first
   */
  static TableSince of(
      long baseSnapshot, StoredTable table, List<CommitFootprint> commits, OnConflict onConflict) {
    List<TableFootprint> later = new ArrayList<>();
    for (CommitFootprint commit : commits) {
      TableFootprint footprint = commit.tables().get(table.schema().name());
      if (footprint != null) {
        later.add(footprint);
      }
    }
    long baseRows = later.isEmpty() ? table.rowCount() : later.get(0).rowsBefore();
    Mode mode = onConflict == OnConflict.REJECT ? Mode.REJECT : Mode.OVERWRITE;
    return new TableSince(baseSnapshot, table, baseRows, later, mode);
  }

  /** For a cargo that has taken effect elsewhere: whatever it overwrote there, it does here. */
  static TableSince ofReplay(long baseSnapshot, StoredTable table) {
    return new TableSince(baseSnapshot, table, table.rowCount(), List.of(), Mode.REPLAY);
  }

  /** The rows that the table had in the base snapshot: no other can be updated or deleted. */
  long baseRows() {
    return baseRows;
  }

  /**
   * Whether a row that is deleted now had been so in the base snapshot: then nobody may name it.
   */
  boolean wasDeleted(long row) {
    if (mode == Mode.REPLAY) {
      return false;
    }
    for (TableFootprint footprint : later) {
      if (footprint.deleted().contains(row)) {
        return false;
      }
    }
    return true;
  }

  /** Refuses updates of cells that somebody else updated since, or in rows that were deleted. */
  void checkUpdates(int column, RowSet rows) throws ShipmentException {
    if (mode == Mode.REJECT && !later.isEmpty()) {
      String name = table.schema().columns().get(column).name();
      check("updated", name, rows, updated(column), "updated");
      check("updated", name, rows, deleted(), "deleted");
    }
  }

  /** Refuses deletes of rows in which somebody else changed anything since. */
  void checkDeletes(RowSet rows) throws ShipmentException {
    if (mode == Mode.REJECT && !later.isEmpty()) {
      for (int column = 0; column < table.columns().size(); column++) {
        String name = table.schema().columns().get(column).name();
        check("deleted", name, rows, updated(column), "updated");
      }
      check("deleted", "*", rows, deleted(), "deleted");
    }
  }

  private List<RowSet> updated(int column) {
    return later.stream().map(footprint -> footprint.updated().get(column)).toList();
  }

  private List<RowSet> deleted() {
    return later.stream().map(TableFootprint::deleted).toList();
  }

  private void check(String mine, String column, RowSet rows, List<RowSet> others, String theirs)
      throws ShipmentException {
    RowOverlap overlap = rows.overlap(others);
    if (overlap.count() > 0) {
      throw new ShipmentException(
          Fault.CONFLICT,
          "table '%s', column '%s': %s to be %s were %s by others since snapshot %d"
              .formatted(table.schema().name(), column, overlap, mine, theirs, baseSnapshot));
    }
  }
}
