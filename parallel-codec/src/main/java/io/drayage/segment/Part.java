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
 * @param kind what it is
 * @param column the column's name; empty for deleted rows
 * @param type the type of the values; null for deleted rows that are bits
 * @param nullable whether values have validity bits
 * @param rowCount how many values, or bits, there are
 * @param rawBytes what they take uncompressed
 * @param tableRows of ids of deleted rows: how many rows the table had; 0 for other kinds
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
  /** A part that is not of ids of deleted rows. */
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

  /** The deleted rows of a table, in the shorter form. */
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

  /** The most memory that the part takes while it is decoded, and then. */
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
