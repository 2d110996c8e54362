package io.drayage.store.column;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TextPage;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;

/** What the parts of a column take in memory, about. */
public final class MemorySize {
  private static final int ARRAY_HEADER_BYTES = 16;

  /** The JVM compresses references in heaps below 32 GiB. */
  static final int REFERENCE_BYTES = Runtime.getRuntime().maxMemory() < 32L << 30 ? 4 : 8;

  private MemorySize() {}

  /** A page of so many values, without the bytes of texts. */
  static long ofPage(ColumnType type, int rows) {
    int width = type.isFixedWidth() ? type.widthBytes() : CargoSize.TEXT_LENGTH_BYTES;
    return ARRAY_HEADER_BYTES + rows * (long) width;
  }

  /** The least that the inserted rows of a cargo take, as far as its manifest tells. */
  public static long ofInserted(Manifest manifest) {
    return manifest.parts().stream()
        .filter(part -> part.kind() == PartKind.INSERTED_VALUES)
        .mapToLong(Part::valueBytes) // No value may be null.
        .sum();
  }

  /** What the inserted rows of a cargo take. */
  public static long ofInserted(ChangeCargo cargo) {
    return cargo.tables().stream()
        .flatMap(changes -> changes.insertedColumns().stream())
        .mapToLong(column -> Extent.adopt(column.values(), 0).memoryBytes())
        .sum();
  }

  /** The bytes of so many texts from {@code from} on. */
  static long ofTexts(Object page, int from, int count) {
    return ((TextPage) page).byteCount(from, count);
  }
}
