package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import java.util.stream.IntStream;

/** Reads cells of a stored column, by row id, into a new column. */
public final class CellReader {
  private final StoredColumn column;

  /** A reader of single values of a column. The column stays shared. */
  public CellReader(StoredColumn column) {
    this.column = column;
  }

  /** The values at {@code rowIds}, which must be rows of the column, in the order of the ids. */
  public ColumnValues read(ColumnValues rowIds) {
    ColumnValues values =
        ColumnValues.allocate(
            column.schema().type(), rowIds.rowCount(), column.schema().nullable());
    IntStream.range(0, values.pageCount()).parallel().forEach(page -> fill(values, page, rowIds));
    return values;
  }

  /** The values at {@code rowIds}, read page by page on demand; only nulls are kept in memory. */
  public ColumnValues readOnDemand(ColumnValues rowIds) {
    ColumnType type = column.schema().type();
    RowBits validity = null;
    if (column.schema().nullable()) {
      validity = RowBits.allSet(rowIds.rowCount());
      fillValidity(validity, rowIds);
    }
    return ColumnValues.onDemand(
        type,
        rowIds.rowCount(),
        ColumnValues.DEFAULT_ROWS_PER_PAGE,
        page -> {
          ColumnValues values = ColumnValues.allocate(type, rowIds.rowCount(), false);
          fill(values, page, rowIds);
          return values.pageForWrite(page);
        },
        validity);
  }

  private void fillValidity(RowBits validity, ColumnValues rowIds) {
    ColumnValues shape = ColumnValues.allocate(column.schema().type(), rowIds.rowCount(), false);
    RowRuns run = new RowRuns(column, rowIds, shape, 0, rowIds.rowCount());
    while (run.next()) {
      clearNulls(validity, run);
    }
  }

  /** Fills a page, in parallel with others: a page has a whole number of words of validity. */
  private void fill(ColumnValues values, int page, ColumnValues rowIds) {
    long from = (long) page * values.rowsPerPage();
    RowRuns run = new RowRuns(column, rowIds, values, from, from + values.rowsInPage(page));
    TextBuilder texts = new TextBuilder();
    while (run.next()) {
      fill(values, run, texts);
    }
    if (values.type() == ColumnType.STRING) {
      ((TextPage) values.pageForWrite(page)).put(0, texts.build());
    }
  }

  private void fill(ColumnValues values, RowRuns run, TextBuilder texts) {
    Extent extent = column.extent(run.extentIndex());
    Object stored = extent.page(run.page());
    Object target = values.pageForWrite(values.pageOf(run.first()));
    if (values.type() == ColumnType.STRING) {
      Object page = stored == null ? new TextPage(extent.rowsInPage(run.page())) : stored;
      run.gather((TextPage) page, texts);
    } else if (stored != null) {
      run.gather(stored, target);
    }
    RowBits validity = values.validity();
    if (validity != null) {
      clearNulls(validity, run);
    }
  }

  private void clearNulls(RowBits validity, RowRuns run) {
    Extent extent = column.extent(run.extentIndex());
    if (extent.hasValidity(run.page())) {
      for (int i = 0; i < run.count(); i++) {
        if (extent.isNull(run.page(), run.offset(i))) {
          validity.clear(run.first() + i);
        }
      }
    }
  }
}
