package io.drayage.segment;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import org.jspecify.annotations.Nullable;

/**
 * Scratch memory for one segment at a time, for a sink that does not keep its values. Not
 * thread-safe.
 */
public final class SegmentScratch {
  private @Nullable ColumnValues values;

  /**
   * Where {@code rows} rows of {@code part} may be decoded, from row 0 on. Good until the next
   * call; there may be more rows than asked for, which mean nothing.
   */
  PartContent ofRows(Part part, int rows) {
    ColumnType type = part.type();
    if (type == null) {
      return new RowBits(rows);
    }
    if (part.nullable()) {
      // With all validity bits set, as a serializer expects them.
      return ColumnValues.allocate(type, rows, true);
    }
    ColumnValues kept = values;
    if (kept == null || kept.type() != type || kept.rowCount() < rows) {
      long pages =
          (rows + ColumnValues.DEFAULT_ROWS_PER_PAGE - 1L) / ColumnValues.DEFAULT_ROWS_PER_PAGE;
      kept = ColumnValues.allocate(type, pages * ColumnValues.DEFAULT_ROWS_PER_PAGE, false);
      values = kept;
    }
    return kept;
  }
}
