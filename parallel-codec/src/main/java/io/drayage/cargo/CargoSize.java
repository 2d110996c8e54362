package io.drayage.cargo;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The raw bytes of a cargo: what its values take in their plain form, without names, metadata or
 * object headers. Every rate and ratio in this project counts these bytes.
 *
 * <ul>
 *   <li>a value of fixed width: its width, null or not
 *   <li>the validity bits of a column that has them, and the deleted rows of a table: 8 per word of
 *       64 rows
 *   <li>the id of an updated row: 8
 *   <li>a text: 4 for its length, then 1 per character if all are at most 0xFF, else 2 per
 *       character; a null text: 4
 * </ul>
 */
public final class CargoSize {
  /** Raw bytes of a text besides its characters. */
  public static final int TEXT_LENGTH_BYTES = 4;

  /**
   * What a text takes in memory besides its characters: two objects, padding and a reference. The
   * JVM compresses references in heaps below 32 GiB.
   */
  public static final int TEXT_MEMORY_BYTES =
      Runtime.getRuntime().maxMemory() < 32L << 30 ? 52 : 64;

  private static final int MAX_LATIN1 = 0xFF;

  private CargoSize() {}

  /** The raw bytes of {@code cargo}. Reads every text; uses the common pool for that. */
  public static long rawBytes(ChangeCargo cargo) {
    return cargo.tables().stream().mapToLong(CargoSize::ofTable).sum();
  }

  /** How many values, row ids and words of deleted rows a cargo has. Reads none of them. */
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
      count += deleted == null ? 0 : deleted.wordCount();
    }
    return count;
  }

  /** The raw bytes of one column. Reads every text; uses the common pool for that. */
  public static long rawBytes(ColumnValues values) {
    return values.type().isFixedWidth()
        ? values.fixedBytes()
        : IntStream.range(0, values.pageCount())
            .parallel()
            .mapToLong(page -> ofTexts((String[]) values.page(page), values.rowsInPage(page)))
            .sum();
  }

  /** The raw bytes of a bit set. */
  public static long rawBytes(RowBits bits) {
    return bits.wordCount() * Long.BYTES;
  }

  /** The raw bytes of one text or null. */
  public static long rawBytes(@Nullable String text) {
    if (text == null) {
      return TEXT_LENGTH_BYTES;
    }
    return TEXT_LENGTH_BYTES + (long) text.length() * (isLatin1(text) ? 1 : 2);
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

  private static long ofTexts(String[] texts, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += rawBytes(texts[i]);
    }
    return bytes;
  }

  /** Whether no character is above U+00FF. */
  public static boolean isLatin1(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > MAX_LATIN1) {
        return false;
      }
    }
    return true;
  }
}
