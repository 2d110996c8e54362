package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import org.jspecify.annotations.Nullable;

/** The live rows of a table, one after the other. Thread-safe. */
public final class LiveRows {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final StoredTable table;

  /** The first row of each page; empty if no row is deleted. */
  private final long[] firstRows;

  /** Counts the rows of a table, once. */
  public LiveRows(StoredTable table) {
    this.table = table;
    this.firstRows = table.deleted().count() == 0 ? new long[0] : firstRows(table);
  }

  private static long[] firstRows(StoredTable table) {
    long[] first = new long[(int) ((table.liveRowCount() + PAGE_ROWS - 1) / PAGE_ROWS)];
    long live = 0;
    for (long row = 0; row < table.rowCount(); row++) {
      if (!table.deleted().get(row)) {
        if (live % PAGE_ROWS == 0) {
          first[(int) (live / PAGE_ROWS)] = row;
        }
        live++;
      }
    }
    return first;
  }

  /** The values of these rows in a column of the table; copied on demand. */
  public ColumnValues of(StoredColumn column) {
    ColumnType type = column.schema().type();
    if (firstRows.length == 0 && table.liveRowCount() == table.rowCount()) {
      RowRange all = new RowRange(column, 0, table.rowCount());
      return ColumnValues.onDemand(type, table.rowCount(), PAGE_ROWS, all::page, all.validity());
    }
    CellReader cells = new CellReader(column);
    return ColumnValues.onDemand(
        type,
        table.liveRowCount(),
        PAGE_ROWS,
        page -> cells.read(rowIds(page)).page(0),
        validity(column, cells));
  }

  private ColumnValues rowIds(int page) {
    long[] ids = new long[rowsInPage(page)];
    long row = firstRows[page];
    for (int i = 0; i < ids.length; row++) {
      if (!table.deleted().get(row)) {
        ids[i++] = row;
      }
    }
    return ColumnValues.of(new long[][] {ids});
  }

  private int rowsInPage(int page) {
    return (int) Math.min(PAGE_ROWS, table.liveRowCount() - (long) page * PAGE_ROWS);
  }

  private @Nullable RowBits validity(StoredColumn column, CellReader cells) {
    if (new RowRange(column, 0, table.rowCount()).validity() == null) {
      return null;
    }
    RowBits bits = RowBits.allSet(table.liveRowCount());
    for (int page = 0; page < firstRows.length; page++) {
      ColumnValues values = cells.read(rowIds(page));
      for (int i = 0; i < rowsInPage(page); i++) {
        if (values.isNull(i)) {
          bits.clear((long) page * PAGE_ROWS + i);
        }
      }
    }
    return bits;
  }
}
