package io.drayage.spark.write;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.spark.database.DrayageException;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.UUID;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Puts changes of one table together to cargoes. Not thread-safe. */
final class FragmentBuilder {
  private final TaskTable table;
  private final Base base;
  private final InsertedRows inserted;
  private final RowIds deleted = new RowIds();
  private final long fragmentBytes;

  /** Null before the first update. */
  private @Nullable ChangedCells changed;

  private long takenBytes;

  /** The table as it was, for updates alone. */
  interface Base {
    StoredTable read() throws IOException;
  }

  FragmentBuilder(TaskTable table, Base base) {
    this(table, base, CargoCutter.DEFAULT_BYTES);
  }

  FragmentBuilder(TaskTable table, Base base, long fragmentBytes) {
    this.table = table;
    this.base = base;
    this.inserted = new InsertedRows(table);
    this.fragmentBytes = fragmentBytes;
  }

  /**
   * Inserts a row, which may change afterwards.
   *
   * @return whether it is time to {@link #take} what there is
   * @throws DrayageException if a value has no place in its column, naming it
   */
  boolean insert(InternalRow row) {
    if (!inserted.add(row)) {
      return false;
    }
    inserted.transpose();
    return isEnough();
  }

  /**
   * Updates a row to new values, which may change afterwards.
   *
   * @param row its number in the base
   * @return whether it is time to {@link #take} what there is
   * @throws IOException if the base cannot be read
   * @throws DrayageException if a value has no place in its column, naming it
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
   * @return whether it is time to {@link #take} what there is
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

  /** Whether there is nothing to take: rows that are updated to what they are do not count. */
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

  /** Raw bytes of what was taken last. */
  long takenBytes() {
    return takenBytes;
  }

  /** A cargo of the changes, at least one; empty afterwards. */
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
