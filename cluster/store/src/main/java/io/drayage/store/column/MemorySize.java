package io.drayage.store.column;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TextPage;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;

/** The approximate memory of the parts of a column. */
public final class MemorySize {
  private static final int ARRAY_HEADER_BYTES = 16;

  /** The JVM compresses references in heaps below 32 GiB. */
  static final int REFERENCE_BYTES = Runtime.getRuntime().maxMemory() < 32L << 30 ? 4 : 8;

  /** The objects of a cargo besides its tables. */
  private static final int CARGO_BYTES = 120;

  /** The objects of a cargo's table besides its columns, without the letters of its name. */
  private static final int TABLE_BYTES = 120;

  /** The objects of a cargo's column besides its pages, without the letters of its name. */
  private static final int COLUMN_BYTES = 120;

  private MemorySize() {}

  /** A page with this number of values, without the bytes of texts. */
  static long ofPage(ColumnType type, int rows) {
    int width = type.isFixedWidth() ? type.widthBytes() : CargoSize.TEXT_LENGTH_BYTES;
    return ARRAY_HEADER_BYTES + rows * (long) width;
  }

  /** The least memory of the inserted rows of a cargo, according to its manifest. */
  public static long ofInserted(Manifest manifest) {
    return manifest.parts().stream()
        .filter(part -> part.kind() == PartKind.INSERTED_VALUES)
        .mapToLong(Part::valueBytes) // No value may be null.
        .sum();
  }

  /** The memory of the inserted rows of a cargo. */
  public static long ofInserted(ChangeCargo cargo) {
    return cargo.tables().stream()
        .flatMap(changes -> changes.insertedColumns().stream())
        .mapToLong(column -> Extent.adopt(column.values(), 0).memoryBytes())
        .sum();
  }

  /**
   * The memory of a received cargo, with the objects that hold its values. If it has few rows,
   * these objects need most of the memory.
   */
  public static long ofCargo(ChangeCargo cargo) {
    long bytes = CARGO_BYTES + cargo.newTables().stream().mapToLong(TableSchema::bytes).sum();
    for (TableChanges table : cargo.tables()) {
      bytes += TABLE_BYTES + table.table().length();
      for (InsertedColumn inserted : table.insertedColumns()) {
        bytes += ofColumn(inserted.column(), inserted.values());
      }
      for (ColumnUpdates update : table.updates()) {
        bytes += ofColumn(update.column(), update.rowIds()) + ofColumn("", update.values());
      }
      RowBits deleted = table.deletedRows();
      bytes += deleted == null ? 0 : RowBits.memoryBytes(deleted.size(), deleted.cardinality());
    }
    return bytes;
  }

  private static long ofColumn(String name, ColumnValues values) {
    return COLUMN_BYTES + name.length() + Extent.adopt(values, 0).memoryBytes();
  }

  /** The bytes of {@code count} texts from {@code from} on. */
  static long ofTexts(Object page, int from, int count) {
    return ((TextPage) page).byteCount(from, count);
  }
}
