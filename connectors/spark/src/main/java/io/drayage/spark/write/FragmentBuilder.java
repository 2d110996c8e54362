package io.drayage.spark.write;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.spark.database.DrayageException;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.UUID;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Collects changes of one table into cargoes. Not thread-safe. */
final class FragmentBuilder {
  private final TaskTable table;
  private final Base base;
  private final FragmentRows inserted;
  private final RowIds deleted = new RowIds();
  private final long fragmentBytes;

  /** Null before the first update. */
  private @Nullable ChangedCells changed;

  private long takenBytes;

  /** Opens the table before the changes, only for updates. */
  interface Base {
    StoredTable read() throws IOException;
  }

  FragmentBuilder(TaskTable table, Base base) {
    this(table, base, CargoCutter.DEFAULT_BYTES);
  }

  FragmentBuilder(TaskTable table, Base base, long fragmentBytes) {
    this.table = table;
    this.base = base;
    this.inserted = new FragmentRows(table);
    this.fragmentBytes = fragmentBytes;
  }

  /**
   * Inserts a row; the row object may change afterwards.
   *
   * @return whether the caller has to {@link #take} the cargo
   * @throws DrayageException if a value does not fit into its column, with its name
   */
  boolean insert(InternalRow row) {
    if (!inserted.add(row)) {
      return false;
    }
    inserted.transpose();
    return isEnough();
  }

  /**
   * Updates a row; the row object may change afterwards.
   *
   * @param row its number in the base
   * @return whether the caller has to {@link #take} the cargo
   * @throws IOException if the base cannot be read
   * @throws DrayageException if a value does not fit into its column, with its name
   */
  boolean update(long row, InternalRow values) throws IOException {
    ChangedCells cells = changed;
    if (cells == null) {
      cells = new ChangedCells(table, base.read());
      changed = cells;
    }
    if (!cells.add(row, values)) {
      return false;
    }
    cells.compare();
    return isEnough();
  }

  /**
   * Deletes a row.
   *
   * @param row its number in the base
   * @return whether the caller has to {@link #take} the cargo
   */
  boolean delete(long row) {
    deleted.add(row);
    return deleted.bytes() >= fragmentBytes;
  }

  private boolean isEnough() {
    return bytes() >= fragmentBytes;
  }

  private long bytes() {
    return inserted.bytes() + deleted.bytes() + (changed == null ? 0 : changed.bytes());
  }

  /** Whether there are no changes; updates to equal values do not count. */
  boolean isEmpty() {
    finish();
    return inserted.isEmpty() && deleted.isEmpty() && (changed == null || changed.isEmpty());
  }

  private void finish() {
    inserted.transpose();
    if (changed != null) {
      changed.compare();
    }
  }

  /** Returns the raw bytes of the last cargo. */
  long takenBytes() {
    return takenBytes;
  }

  /** Returns a cargo of the changes, at least one; this object is empty afterwards. */
  ChangeCargo take(long baseSnapshot) {
    finish();
    takenBytes = bytes();
    ChangeCargo.Builder cargo = ChangeCargo.builder(UUID.randomUUID(), baseSnapshot);
    if (table.isNew()) {
      cargo.newTable(table.schema());
    }
    cargo.table(table.name(), this::addTo);
    return cargo.build();
  }

  private void addTo(ChangeCargo.TableChangesBuilder changes) {
    inserted.addTo(changes);
    if (changed != null) {
      changed.addTo(changes);
    }
    if (!deleted.isEmpty()) {
      changes.delete(deleted.takeBits());
    }
  }
}
