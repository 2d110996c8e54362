package io.drayage.worker;

import io.drayage.cargo.TableSchema;
import io.drayage.store.AppliedChanges;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.StoredTable;

/**
 * The effect of a commit on one table. The cargo may name more rows, if others had deleted the same
 * rows before. Immutable.
 */
public final class ChangedTable {
  private final AppliedChanges changes;
  private final StoredTable before;
  private final StoredTable after;

  ChangedTable(AppliedChanges changes, StoredTable before, StoredTable after) {
    this.changes = changes;
    this.before = before;
    this.after = after;
  }

  /** The table's name and columns. */
  public TableSchema schema() {
    return after.schema();
  }

  /**
   * Consumes changed rows.
   *
   * @param <E> the failure of the consumer
   */
  @FunctionalInterface
  public interface RowUse<E extends Exception> {
    /** Accepts a change. The next one comes after it returns. */
    void accept(RowChange row) throws E;
  }

  /**
   * Calls {@code use} with each changed row, once: first updated, then deleted, then inserted rows,
   * each by ascending number. A row that is updated and deleted counts as deleted. Memory holds the
   * numbers of only a few rows at a time.
   */
  public <E extends Exception> void forEachRow(RowUse<E> use) throws E {
    forEachUpdated(use);
    forEachDeleted(use);
    for (long row = before.rowCount(); row < after.rowCount(); row++) {
      use.accept(RowChange.insert(row, after));
    }
  }

  private <E extends Exception> void forEachUpdated(RowUse<E> use) throws E {
    AppliedChanges.UpdatedRows rows = changes.updatedRows(schema().name());
    while (rows.next()) {
      if (!after.isDeleted(rows.row())) {
        use.accept(RowChange.update(rows.row(), rows.columns(), before, after));
      }
    }
  }

  private <E extends Exception> void forEachDeleted(RowUse<E> use) throws E {
    DeletedRows earlier = before.deleted();
    DeletedRows now = after.deleted();
    if (now.count() == earlier.count()) {
      return;
    }
    for (long w = 0; w * Long.SIZE < after.rowCount(); w++) {
      for (long bits = now.word(w) & ~earlier.word(w); bits != 0; bits &= bits - 1) {
        use.accept(RowChange.delete(w * Long.SIZE + Long.numberOfTrailingZeros(bits), before));
      }
    }
  }

  @Override
  public String toString() {
    return "ChangedTable[%s]".formatted(schema().name());
  }
}
