package io.drayage.worker;

import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a commit did to one table: its effect, which may be less than its cargo says, since others
 * may have deleted the same rows before it. Immutable.
 */
public final class ChangedTable {
  private final TableChanges changes;
  private final StoredTable before;
  private final StoredTable after;

  ChangedTable(TableChanges changes, StoredTable before, StoredTable after) {
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
   * @param <E> how it may fail
   */
  @FunctionalInterface
  public interface RowUse<E extends Exception> {
    /** Takes a change; the next comes when it has returned. */
    void accept(RowChange row) throws E;
  }

  /**
   * Calls {@code use} with each changed row, once: updated, then deleted, then inserted ones, each
   * by ascending number. A row that is updated and deleted is deleted.
   */
  public <E extends Exception> void forEachRow(RowUse<E> use) throws E {
    forEachUpdated(use);
    forEachDeleted(use);
    for (long row = before.rowCount(); row < after.rowCount(); row++) {
      use.accept(RowChange.insert(row, after));
    }
  }

  private <E extends Exception> void forEachUpdated(RowUse<E> use) throws E {
    List<ColumnUpdates> updates = changes.updates();
    long[][] rows = updates.stream().map(update -> sorted(update.rowIds())).toArray(long[][]::new);
    int[] next = new int[rows.length];
    for (long row = lowest(rows, next); row < Long.MAX_VALUE; row = lowest(rows, next)) {
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < rows.length; i++) {
        if (next[i] < rows[i].length && rows[i][next[i]] == row) {
          columns.add(updates.get(i).column());
          next[i]++;
        }
      }
      if (!after.isDeleted(row)) {
        use.accept(RowChange.update(row, columns, before, after));
      }
    }
  }

  private static long lowest(long[][] rows, int[] next) {
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < rows.length; i++) {
      lowest = next[i] < rows[i].length ? Math.min(lowest, rows[i][next[i]]) : lowest;
    }
    return lowest;
  }

  private static long[] sorted(ColumnValues rowIds) {
    long[] rows = new long[Math.toIntExact(rowIds.rowCount())];
    int filled = 0;
    for (int page = 0; page < rowIds.pageCount(); page++) {
      System.arraycopy(rowIds.page(page), 0, rows, filled, rowIds.rowsInPage(page));
      filled += rowIds.rowsInPage(page);
    }
    Arrays.sort(rows);
    return rows;
  }

  private <E extends Exception> void forEachDeleted(RowUse<E> use) throws E {
    RowBits deletes = changes.deletedRows();
    for (long w = 0; deletes != null && w < deletes.wordCount(); w++) {
      for (long bits = deletes.word(w) & ~before.deleted().word(w); bits != 0; bits &= bits - 1) {
        use.accept(RowChange.delete((w << 6) + Long.numberOfTrailingZeros(bits), before));
      }
    }
  }

  @Override
  public String toString() {
    return "ChangedTable[%s]".formatted(changes);
  }
}
