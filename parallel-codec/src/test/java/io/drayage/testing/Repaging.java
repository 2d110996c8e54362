package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.util.function.UnaryOperator;

/** Copies of cargoes in pages of another size. */
public final class Repaging {
  private Repaging() {}

  /** Copies {@code cargo}; its columns get pages of {@code rowsPerPage}. */
  public static ChangeCargo of(ChangeCargo cargo, int rowsPerPage) {
    return columns(cargo, values -> of(values, rowsPerPage));
  }

  /** A copy of a cargo with another column in place of each column, row ids included. */
  static ChangeCargo columns(ChangeCargo cargo, UnaryOperator<ColumnValues> replacement) {
    ChangeCargo.Builder builder = ChangeCargo.builder(cargo.transactionId(), cargo.baseSnapshot());
    for (var table : cargo.tables()) {
      builder.table(
          table.table(),
          changes -> {
            table
                .insertedColumns()
                .forEach(in -> changes.insert(in.column(), replacement.apply(in.values())));
            table
                .updates()
                .forEach(
                    up ->
                        changes.update(
                            up.column(),
                            replacement.apply(up.rowIds()),
                            replacement.apply(up.values())));
            RowBits deleted = table.deletedRows();
            if (deleted != null) {
              changes.delete(deleted);
            }
          });
    }
    return builder.build();
  }

  /** Copies {@code values} into pages of {@code rowsPerPage}. */
  public static ColumnValues of(ColumnValues values, int rowsPerPage) {
    int pageCount = (int) ((values.rowCount() + rowsPerPage - 1) / rowsPerPage);
    Class<?> pageClass = values.type().pageClass();
    Object[] pages = (Object[]) Array.newInstance(pageClass, pageCount);
    for (int p = 0; p < pageCount; p++) {
      long firstRow = (long) p * rowsPerPage;
      int rows = (int) Math.min(rowsPerPage, values.rowCount() - firstRow);
      pages[p] = values.type().newPage(rows);
      copy(values, firstRow, pages[p], rows);
    }
    return ColumnValues.of(pages, values.validity());
  }

  private static void copy(ColumnValues values, long firstRow, Object page, int rows) {
    int done = 0;
    while (done < rows) {
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rows - done, values.rowsPerPage() - offset);
      values.type().copy(values.page(values.pageOf(firstRow + done)), offset, page, done, count);
      done += count;
    }
  }
}
