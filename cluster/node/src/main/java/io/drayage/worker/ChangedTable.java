package io.drayage.worker;

import io.drayage.cargo.TableSchema;
import io.drayage.store.AppliedChanges.NamedRows;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.StoredTable;
import io.drayage.store.rows.RowCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * What a commit did to one table: its effect, which may be less than its cargo says, since others
 * may have deleted the same rows before it. Immutable.
 */
public final class ChangedTable {
  private final NamedRows named;
  private final StoredTable before;
  private final StoredTable after;

  ChangedTable(NamedRows named, StoredTable before, StoredTable after) {
    this.named = named;
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
   * @param <E> how it may fail
   */
  @FunctionalInterface
  public interface RowUse<E extends Exception> {
    /** Takes a change; the next comes when it has returned. */
    void accept(RowChange row) throws E;
  }

  /**
   * Calls {@code use} with each changed row, once: updated, then deleted, then inserted ones, each
   * by ascending number. A row that is updated and deleted is deleted. However many there are, the
   * numbers of few of them are in memory at a time.
   */
  public <E extends Exception> void forEachRow(RowUse<E> use) throws E {
    forEachUpdated(use);
    forEachDeleted(use);
    for (long row = before.rowCount(); row < after.rowCount(); row++) {
      use.accept(RowChange.insert(row, after));
    }
  }

  private <E extends Exception> void forEachUpdated(RowUse<E> use) throws E {
    List<String> columns = List.copyOf(named.updated().keySet());
    RowCursor cursor = new RowCursor(List.copyOf(named.updated().values()));
    while (cursor.next()) {
      if (!after.isDeleted(cursor.row())) {
        List<String> updated = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          if (cursor.isIn(i)) {
            updated.add(columns.get(i));
          }
        }
        use.accept(RowChange.update(cursor.row(), updated, before, after));
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
    return "ChangedTable[%s]".formatted(named.table());
  }
}
