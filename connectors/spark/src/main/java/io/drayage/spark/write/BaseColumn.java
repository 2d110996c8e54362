package io.drayage.spark.write;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import io.drayage.store.column.PageSlice;
import io.drayage.store.column.StoredColumn;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column of the base, to find new values that differ: by their bits, texts by their bytes. Fast
 * for ascending rows. Not thread-safe.
 */
final class BaseColumn {
  private final StoredColumn column;
  private final ColumnType type;
  private final int ordinal;

  /** The current rows, which are in one page and, for texts, in one run. */
  private long firstRow;

  private long endRow;
  private int offset;
  private @Nullable Object page;
  private @Nullable TextRun texts;
  private long @Nullable [] validity;

  /**
   * @param ordinal index of the column in a row of Spark
   */
  BaseColumn(StoredColumn column, int ordinal) {
    this.column = column;
    this.type = column.schema().type();
    this.ordinal = ordinal;
  }

  /**
   * Selects values that differ.
   *
   * @param rows new values of the rows {@code ids}
   * @param selected receives their indexes, ascending
   * @return the number of selected values
   */
  int select(UnsafeRow[] rows, long[] ids, int count, int[] selected) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (ids[i] < firstRow || ids[i] >= endRow) {
        seek(ids[i]);
      }
      selected[found] = i;
      found += isSame(rows[i], (int) (ids[i] - firstRow)) ? 0 : 1;
    }
    return found;
  }

  private void seek(long row) {
    PageSlice slice = column.slice(row);
    int rows = slice.rows();
    page = slice.page();
    offset = slice.offset();
    validity = slice.validity();
    if (type == ColumnType.STRING && page != null) {
      TextRun run = ((TextPage) page).runs(offset, rows).get(0);
      texts = run;
      rows = run.rows();
    }
    firstRow = row;
    endRow = row + rows;
  }

  private boolean isSame(UnsafeRow row, int at) {
    boolean wasNull = validity != null && (validity[at >>> 6] >>> at & 1) == 0;
    if (wasNull || row.isNullAt(ordinal)) {
      return wasNull && row.isNullAt(ordinal);
    }
    return page == null ? isDefault(row) : isSameValue(row, page, offset + at, at);
  }

  private boolean isSameValue(UnsafeRow row, Object values, int place, int at) {
    return switch (type) {
      case BOOLEAN -> row.getBoolean(ordinal) == ((boolean[]) values)[place];
      case BYTE -> row.getByte(ordinal) == ((byte[]) values)[place];
      case SHORT -> row.getShort(ordinal) == ((short[]) values)[place];
      case INT -> row.getInt(ordinal) == ((int[]) values)[place];
      case LONG -> row.getLong(ordinal) == ((long[]) values)[place];
      case FLOAT -> row.getInt(ordinal) == Float.floatToRawIntBits(((float[]) values)[place]);
      case DOUBLE -> row.getLong(ordinal) == Double.doubleToRawLongBits(((double[]) values)[place]);
      case STRING -> isSameText(row.getUTF8String(ordinal), Objects.requireNonNull(texts), at);
    };
  }

  private static boolean isSameText(UTF8String text, TextRun texts, int at) {
    int length = texts.length(at);
    return text.numBytes() == length
        && ByteArrayMethods.arrayEquals(
            text.getBaseObject(),
            text.getBaseOffset(),
            texts.bytes(),
            (long) Platform.BYTE_ARRAY_OFFSET + texts.start(at),
            length);
  }

  /** Whether the value is 0, false or empty, like a row that was never written. */
  private boolean isDefault(UnsafeRow row) {
    return switch (type) {
      case BOOLEAN -> !row.getBoolean(ordinal);
      case BYTE -> row.getByte(ordinal) == 0;
      case SHORT -> row.getShort(ordinal) == 0;
      case INT, FLOAT -> row.getInt(ordinal) == 0;
      case LONG, DOUBLE -> row.getLong(ordinal) == 0;
      case STRING -> row.getUTF8String(ordinal).numBytes() == 0;
    };
  }
}
