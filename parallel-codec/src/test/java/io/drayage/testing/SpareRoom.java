package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;

/** The same cargo with spare room behind the rows of every column's last page. */
public final class SpareRoom {
  private SpareRoom() {}

  /**
   * Copies {@code cargo} into pages of {@code rowsPerPage}, the last ones as long as the others.
   */
  public static ChangeCargo of(ChangeCargo cargo, int rowsPerPage) {
    ChangeCargo.Builder builder = ChangeCargo.builder(cargo.transactionId(), cargo.baseSnapshot());
    for (var table : cargo.tables()) {
      builder.table(
          table.table(),
          changes -> {
            table
                .insertedColumns()
                .forEach(in -> changes.insert(in.column(), of(in.values(), rowsPerPage)));
            table
                .updates()
                .forEach(
                    up ->
                        changes.update(
                            up.column(),
                            of(up.rowIds(), rowsPerPage),
                            of(up.values(), rowsPerPage)));
            RowBits deleted = table.deletedRows();
            if (deleted != null) {
              changes.delete(deleted);
            }
          });
    }
    return builder.build();
  }

  /**
   * Copies {@code values} into pages of {@code rowsPerPage}. Behind the last row its own page's
   * values follow again, so that whoever reads there finds something.
   */
  public static ColumnValues of(ColumnValues values, int rowsPerPage) {
    ColumnValues trimmed = Repaging.of(values, rowsPerPage);
    if (trimmed.pageCount() == 0) {
      return trimmed;
    }
    Object[] pages = (Object[]) Array.newInstance(values.type().pageClass(), trimmed.pageCount());
    for (int p = 0; p < pages.length; p++) {
      pages[p] = trimmed.page(p);
    }
    int last = pages.length - 1;
    pages[last] = repeated(trimmed.page(last), rowsPerPage);
    return ColumnValues.of(pages, values.rowCount(), values.validity());
  }

  private static Object repeated(Object page, int length) {
    int rows = Array.getLength(page);
    Object longer = Array.newInstance(page.getClass().getComponentType(), length);
    for (int at = 0; at < length; at += rows) {
      System.arraycopy(page, 0, longer, at, Math.min(rows, length - at));
    }
    return longer;
  }
}
