package io.drayage.store.column;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import java.lang.reflect.Array;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the parts of a column take in memory, about. */
public final class MemorySize {
  private static final int ARRAY_HEADER_BYTES = 16;

  /** Compressed, as in heaps below 32 GiB, or not. */
  static final int REFERENCE_BYTES = CargoSize.TEXT_MEMORY_BYTES > 60 ? 8 : 4;

  private MemorySize() {}

  /** A page of so many values, without the texts that it refers to. */
  static long ofPage(ColumnType type, int rows) {
    long width = type.isFixedWidth() ? type.widthBytes() : REFERENCE_BYTES;
    return ARRAY_HEADER_BYTES + rows * width;
  }

  /** A page, without the texts that it refers to. */
  static long ofPage(ColumnType type, Object page) {
    return ofPage(type, Array.getLength(page));
  }

  /** A text besides the reference to it. All empty texts are one. */
  static long ofText(@Nullable String text) {
    return text == null || text.isEmpty()
        ? 0
        : CargoSize.TEXT_MEMORY_BYTES
            - REFERENCE_BYTES
            + CargoSize.rawBytes(text)
            - CargoSize.TEXT_LENGTH_BYTES;
  }

  /** The least that the inserted rows of a cargo take, as far as its manifest tells. */
  public static long ofInserted(Manifest manifest) {
    return manifest.parts().stream()
        .filter(part -> part.kind() == PartKind.INSERTED_VALUES)
        .mapToLong(MemorySize::leastOf)
        .sum();
  }

  /** Any text may be empty, and no value null. */
  private static long leastOf(Part part) {
    ColumnType type = Objects.requireNonNull(part.type());
    if (type.isFixedWidth()) {
      return part.rowCount() * type.widthBytes();
    }
    long validityBytes = part.nullable() ? (part.rowCount() + 63) / 64 * Long.BYTES : 0;
    long characterBytes =
        part.rawBytes() - validityBytes - part.rowCount() * CargoSize.TEXT_LENGTH_BYTES;
    return part.rowCount() * REFERENCE_BYTES + Math.max(0, characterBytes);
  }

  /** So many texts from {@code from} on. */
  public static long ofTexts(Object page, int from, int count) {
    @Nullable String[] texts = (String[]) page;
    long bytes = 0;
    for (int i = from; i < from + count; i++) {
      bytes += ofText(texts[i]);
    }
    return bytes;
  }
}
