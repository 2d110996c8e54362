package io.drayage.replica;

import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.TableRows;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The rows of a table in a snapshot, and what has changed since the full snapshot before it. A page
 * has {@link ColumnValues#DEFAULT_ROWS_PER_PAGE} rows of the table.
 *
 * @param full the rows in the full snapshot
 * @param now the rows in the snapshot; those after the rows of {@code full} were inserted since
 * @param updated the pages in which values of a column were updated since, by the column's name
 */
public record ChangedRows(TableRows full, TableRows now, Map<String, BitSet> updated) {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** Returns the number of pages, the last of which may be shorter. */
  public int pageCount() {
    return (int) ((now.rowCount() + PAGE_ROWS - 1) / PAGE_ROWS);
  }

  /** Returns the number of live rows in a page. */
  public int liveRows(int page) {
    return rowsInPage(page, now) - deletedRows(page, now);
  }

  /** Whether rows of a page were deleted since the full snapshot. */
  public boolean hasNewlyDeleted(int page) {
    return deletedRows(page, now) != deletedRows(page, full);
  }

  private static int rowsInPage(int page, TableRows rows) {
    return (int) Math.max(0, Math.min(PAGE_ROWS, rows.rowCount() - (long) page * PAGE_ROWS));
  }

  private static int deletedRows(int page, TableRows rows) {
    int count = 0;
    for (int word = 0; word < PAGE_ROWS / 64 && rows.deleted().count() > 0; word++) {
      count += Long.bitCount(rows.deleted().word((long) page * (PAGE_ROWS / 64) + word));
    }
    return count;
  }

  /** Whether a segment of a commit tells which rows it changes. */
  static boolean isNeeded(Segment segment) {
    PartKind kind = segment.part().kind();
    return kind != PartKind.INSERTED_VALUES && kind != PartKind.UPDATED_VALUES;
  }

  /** Adds up the commits since a full snapshot. Not thread-safe. */
  static final class Builder {
    private final TableRows full;
    private long rowCount;
    private DeletedRows deleted;
    private final Map<String, BitSet> updated = new HashMap<>();

    Builder(TableRows full) {
      this.full = full;
      this.rowCount = full.rowCount();
      this.deleted = full.deleted();
    }

    /**
     * Adds the changes of a commit.
     *
     * @param changes of the table, maybe without the segments that are not {@link #isNeeded}
     */
    void add(TableChanges changes) {
      rowCount += changes.insertedRowCount();
      RowBits more = changes.deletedRows();
      deleted = more == null ? deleted : deleted.plus(more);
      for (ColumnUpdates update : changes.updates()) {
        BitSet pages = updated.computeIfAbsent(update.column(), name -> new BitSet());
        ColumnValues rows = update.rowIds();
        for (int p = 0; p < rows.pageCount(); p++) {
          long[] numbers = (long[]) rows.page(p);
          for (int i = 0; i < rows.rowsInPage(p); i++) {
            pages.set((int) (numbers[i] / PAGE_ROWS));
          }
        }
      }
    }

    ChangedRows build() {
      return new ChangedRows(full, new TableRows(rowCount, deleted), Map.copyOf(updated));
    }
  }
}
