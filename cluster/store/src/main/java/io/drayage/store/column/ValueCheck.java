package io.drayage.store.column;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;

/** Checks that values match a column. */
public final class ValueCheck {
  private ValueCheck() {}

  /**
   * Rejects a column that the table lacks, that has another type, or that was not filled.
   *
   * @return the index of the column in the table
   */
  public static int checkType(TableSchema table, String column, ColumnValues values)
      throws ShipmentException {
    int index = table.indexOf(column);
    if (index < 0) {
      throw Rejection.of("table '%s' has no column '%s'".formatted(table.name(), column));
    }
    ColumnType type = table.columns().get(index).type();
    if (values.type() != type) {
      throw Rejection.of(
          "column '%s' of table '%s' holds %s, not %s"
              .formatted(column, table.name(), type, values.type()));
    }
    checkFilled(table, column, values);
    return index;
  }

  /** Rejects a column with a page that was never written. */
  public static void checkFilled(TableSchema table, String column, ColumnValues values)
      throws ShipmentException {
    for (int p = 0; p < values.pageCount(); p++) {
      if (values.page(p) == null) {
        throw Rejection.of(
            format(
                "column '%s' of table '%s' lacks page %,d of %,d",
                column, table.name(), p, values.pageCount()));
      }
    }
  }

  /** The index of the first null, or -1. */
  public static long firstNull(ColumnValues values) {
    RowBits validity = Pages.nullsOf(values);
    if (validity == null) {
      return -1;
    }
    long word = 0;
    while (validity.word(word) == -1L) {
      word++;
    }
    return (word << 6) + Long.numberOfTrailingZeros(~validity.word(word));
  }
}
