package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.lang.reflect.Array;

/** Copies of cargoes with spare rows behind the rows of every column's last page. */
public final class SpareRows {
  private SpareRows() {}

  /** Copies {@code cargo} into pages of {@code rowsPerPage}; the last ones have the same length. */
  public static ChangeCargo of(ChangeCargo cargo, int rowsPerPage) {
    return Repaging.columns(cargo, values -> of(values, rowsPerPage));
  }

  /**
   * Copies {@code values} into pages of {@code rowsPerPage}. The spare rows repeat the page's
   * values, so that a reader that goes too far finds something.
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
    pages[last] = repeated(values.type(), trimmed.page(last), rowsPerPage);
    return ColumnValues.of(pages, values.rowCount(), values.validity());
  }

  private static Object repeated(ColumnType type, Object page, int length) {
    int rows = ColumnType.rowsOf(page);
    Object longer = type.newPage(length);
    for (int at = 0; at < length; at += rows) {
      type.copy(page, 0, longer, at, Math.min(rows, length - at));
    }
    return longer;
  }
}
