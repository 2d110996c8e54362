package io.drayage.cargo;

import java.util.stream.IntStream;

/**
 * The raw bytes of a cargo: the size of its values in their plain form, without names, metadata or
 * object headers. Every rate and ratio in this project counts these bytes.
 *
 * <ul>
 *   <li>a value of fixed width: its width, null or not
 *   <li>the validity bits of a column that has them: 8 per word of 64 rows
 *   <li>the deleted rows of a table: 8 per word of 64 rows, or 8 for the id of each if that is less
 *   <li>the id of an updated row: 8
 *   <li>a text: 4 for its length, and its bytes in UTF-8
 * </ul>
 */
public final class CargoSize {
  /** The raw bytes of a text's length, which count in addition to the text's bytes. */
  public static final int TEXT_LENGTH_BYTES = 4;

  private CargoSize() {}

  /** The raw bytes of {@code cargo}. Uses the common pool for texts. */
  public static long rawBytes(ChangeCargo cargo) {
    return cargo.tables().stream().mapToLong(CargoSize::ofTable).sum();
  }

  /** Number of values, row ids, and words or ids of deleted rows of a cargo. Reads no value. */
  public static long valueCount(ChangeCargo cargo) {
    long count = 0;
    for (TableChanges table : cargo.tables()) {
      for (InsertedColumn inserted : table.insertedColumns()) {
        count += inserted.values().rowCount();
      }
      for (ColumnUpdates update : table.updates()) {
        count += update.rowIds().rowCount() + update.values().rowCount();
      }
      RowBits deleted = table.deletedRows();
      count += deleted == null ? 0 : rawBytes(deleted) / Long.BYTES;
    }
    return count;
  }

  /** The raw bytes of one column. Uses the common pool for texts. */
  public static long rawBytes(ColumnValues values) {
    return values.type().isFixedWidth()
        ? values.fixedBytes()
        : values.fixedBytes()
            + values.rowCount() * TEXT_LENGTH_BYTES
            + IntStream.range(0, values.pageCount())
                .parallel()
                .mapToLong(page -> values.texts(page).byteCount(0, values.rowsInPage(page)))
                .sum();
  }

  /** The bytes of the texts of some rows of a column, without their lengths. */
  public static long textBytes(ColumnValues texts, long firstRow, long rows) {
    long bytes = 0;
    for (long row = firstRow; row < firstRow + rows; ) {
      int offset = texts.offsetOf(row);
      int count = (int) Math.min(firstRow + rows - row, texts.rowsPerPage() - offset);
      bytes += texts.texts(texts.pageOf(row)).byteCount(offset, count);
      row += count;
    }
    return bytes;
  }

  /** The raw bytes of the deleted rows of a table. */
  public static long rawBytes(RowBits deleted) {
    return Math.min(deleted.wordCount(), deleted.cardinality()) * Long.BYTES;
  }

  private static long ofTable(TableChanges table) {
    long bytes = 0;
    for (InsertedColumn inserted : table.insertedColumns()) {
      bytes += rawBytes(inserted.values());
    }
    for (ColumnUpdates update : table.updates()) {
      bytes += rawBytes(update.rowIds()) + rawBytes(update.values());
    }
    RowBits deleted = table.deletedRows();
    return deleted == null ? bytes : bytes + rawBytes(deleted);
  }
}
