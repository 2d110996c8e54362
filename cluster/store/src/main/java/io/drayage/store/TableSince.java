package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes to one table since a cargo's base snapshot, and the way to resolve conflicts with
 * them. Immutable.
 *
 * @param baseRows the row count of the base snapshot: no other rows can be updated or deleted
 * @param own the rows that earlier cargoes of the same transaction touched; null if there are none
 */
record TableSince(
    long baseSnapshot,
    StoredTable table,
    long baseRows,
    List<TableFootprint> later,
    @Nullable TableFootprint own,
    Mode mode) {
  private enum Mode {
    REJECT,
    OVERWRITE,
    /** Another node has decided that the cargo has an effect. */
    REPLAY
  }

  /**
   * Returns the changes since a snapshot.
   *
   * @param table in its current state
   * @param commits all commits after the snapshot {@code baseSnapshot}, oldest first
   * @param own its rows that earlier cargoes of the same transaction touched; null if none
   */
  static TableSince of(
      long baseSnapshot,
      StoredTable table,
      List<CommitFootprint> commits,
      @Nullable TableFootprint own,
      OnConflict onConflict) {
    List<TableFootprint> later = new ArrayList<>();
    for (CommitFootprint commit : commits) {
      TableFootprint footprint = commit.tables().get(table.schema().name());
      if (footprint != null && commit.timestamp() >= table.made()) {
        later.add(footprint);
      }
    }
    long before = own == null ? table.rowCount() : own.rowsBefore();
    long baseRows = later.isEmpty() ? before : later.get(0).rowsBefore();
    Mode mode = onConflict == OnConflict.REJECT ? Mode.REJECT : Mode.OVERWRITE;
    return new TableSince(baseSnapshot, table, baseRows, later, own, mode);
  }

  /** Returns the state for a replay: the cargo overwrites the same cells as on the other node. */
  static TableSince ofReplay(long baseSnapshot, StoredTable table) {
    return new TableSince(baseSnapshot, table, table.rowCount(), List.of(), null, Mode.REPLAY);
  }

  /**
   * Whether a deleted row was deleted in the base snapshot already: then the cargo must not name
   * it.
   */
  boolean wasDeleted(long row) {
    if (mode == Mode.REPLAY) {
      return false;
    }
    if (own != null && own.deleted().contains(row)) {
      return false;
    }
    for (TableFootprint footprint : later) {
      if (footprint.deleted().contains(row)) {
        return false;
      }
    }
    return true;
  }

  /** The number of rows that others have inserted since. */
  long insertedRows() {
    return (own == null ? table.rowCount() : own.rowsBefore()) - baseRows;
  }

  /**
   * Rejects updates of cells that others have updated since, in rows that others have deleted, or
   * that another cargo of the transaction updates.
   */
  void checkUpdates(int column, RowSet rows) throws ShipmentException {
    if (own != null && mode != Mode.REPLAY) {
      RowOverlap twice = rows.overlap(List.of(own.updated().get(column)));
      if (twice.count() > 0) {
        throw Rejection.of(
            format(
                "column '%s' of table '%s': %s are updated by two cargoes of the transaction",
                table.schema().columns().get(column).name(), table.schema().name(), twice));
      }
    }
    if (mode == Mode.REJECT && !later.isEmpty()) {
      String name = table.schema().columns().get(column).name();
      check("updated", name, rows, updated(column), "updated");
      check("updated", name, rows, deleted(), "deleted");
    }
  }

  /** Rejects deletes of rows that others have changed since. */
  void checkDeletes(RowSet rows) throws ShipmentException {
    if (mode == Mode.REJECT && !later.isEmpty()) {
      for (int column = 0; column < table.columns().size(); column++) {
        String name = table.schema().columns().get(column).name();
        check("deleted", name, rows, updated(column), "updated");
      }
      check("deleted", "*", rows, deleted(), "deleted");
    }
  }

  /** Rejects touched rows in conflict with the changes of others since. */
  void check(TableFootprint touched) throws ShipmentException {
    for (int column = 0; column < touched.updated().size(); column++) {
      checkUpdates(column, touched.updated().get(column));
    }
    checkDeletes(touched.deleted());
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
          format(
              "table '%s', column '%s': %s to be %s were %s by others since snapshot %d",
              table.schema().name(), column, overlap, mine, theirs, baseSnapshot));
    }
  }
}
