package io.drayage.segment;

import io.drayage.cargo.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * One column, or the deleted rows, of one table of a cargo.
 *
 * @param index the part's number in its cargo, from 0
 * @param table the table's name
 * @param kind what it is
 * @param column the column's name; empty for deleted rows
 * @param type the type of the values; null for deleted rows, which are bits
 * @param nullable whether values have validity bits
 * @param rowCount how many values, or bits, there are
 * @param rawBytes what they take uncompressed
 */
public record Part(
    int index,
    String table,
    PartKind kind,
    String column,
    @Nullable ColumnType type,
    boolean nullable,
    long rowCount,
    long rawBytes) {
  /** The raw bytes of the values alone, without their validity bits. */
  public long valueBytes() {
    return rawBytes - (nullable ? (rowCount + 63) / Long.SIZE * Long.BYTES : 0);
  }

  Part withRawBytes(long counted) {
    return new Part(index, table, kind, column, type, nullable, rowCount, counted);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case INSERTED_VALUES -> "inserted values of %s.%s".formatted(table, column);
      case UPDATED_ROWS -> "updated rows of %s.%s".formatted(table, column);
      case UPDATED_VALUES -> "updated values of %s.%s".formatted(table, column);
      case DELETED_ROWS -> "deleted rows of %s".formatted(table);
    };
  }
}
