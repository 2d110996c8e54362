package io.drayage.segment;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import org.jspecify.annotations.Nullable;

/**
 * One column, or the deleted rows, of one table of a cargo.
 *
 * @param index the part's number in its cargo, from 0
 * @param table the table's name
 * @param kind the kind of contents
 * @param column the column's name; empty for deleted rows
 * @param type the type of the values; null for deleted rows as bits
 * @param nullable whether values have validity bits
 * @param rowCount number of values or bits
 * @param rawBytes their uncompressed bytes
 * @param tableRows for ids of deleted rows, number of rows of the table; 0 for other kinds
 */
public record Part(
    int index,
    String table,
    PartKind kind,
    String column,
    @Nullable ColumnType type,
    boolean nullable,
    long rowCount,
    long rawBytes,
    long tableRows) {
  /** Creates a part of any kind except ids of deleted rows. */
  public Part(
      int index,
      String table,
      PartKind kind,
      String column,
      @Nullable ColumnType type,
      boolean nullable,
      long rowCount,
      long rawBytes) {
    this(index, table, kind, column, type, nullable, rowCount, rawBytes, 0);
  }

  /** Creates the part for the deleted rows of a table, in the shorter form. */
  static Part ofDeletes(int index, String table, RowBits deleted) {
    long rawBytes = CargoSize.rawBytes(deleted);
    return deleted.isShorterAsIds()
        ? new Part(
            index,
            table,
            PartKind.DELETED_IDS,
            "",
            ColumnType.LONG,
            false,
            rawBytes / Long.BYTES,
            rawBytes,
            deleted.size())
        : new Part(index, table, PartKind.DELETED_ROWS, "", null, false, deleted.size(), rawBytes);
  }

  /** Maximum memory of the part in bytes, during and after decoding. */
  public long memoryBytes() {
    return kind == PartKind.DELETED_IDS
        ? rawBytes + RowBits.memoryBytes(tableRows, rowCount)
        : rawBytes;
  }

  /** The raw bytes of the values alone, without their validity bits. */
  public long valueBytes() {
    return rawBytes - (nullable ? (rowCount + 63) / Long.SIZE * Long.BYTES : 0);
  }

  Part withRawBytes(long counted) {
    return new Part(index, table, kind, column, type, nullable, rowCount, counted, tableRows);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case INSERTED_VALUES -> "inserted values of %s.%s".formatted(table, column);
      case UPDATED_ROWS -> "updated rows of %s.%s".formatted(table, column);
      case UPDATED_VALUES -> "updated values of %s.%s".formatted(table, column);
      case DELETED_ROWS, DELETED_IDS -> "deleted rows of %s".formatted(table);
    };
  }
}
