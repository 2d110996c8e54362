package io.drayage.segment;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the texts of a cargo as they are decoded: the room for them was granted by what the
 * manifest states, which must not be a lie. A character counts as one byte, so that no honest cargo
 * is refused. Thread-safe.
 */
final class TextLimits {
  /** For each part, the raw bytes of texts that may still come. */
  private final AtomicLongArray remainingBytes;

  TextLimits(Manifest manifest) {
    this.remainingBytes =
        new AtomicLongArray(manifest.parts().stream().mapToLong(Part::rawBytes).toArray());
  }

  /**
   * Counts a segment that was decoded, if it is of texts.
   *
   * @param texts holds the segment's rows
   * @param firstRow where they begin in {@code texts}
   * @throws ShipmentException {@code LIMIT} if its part has more text than the manifest states
   */
  void count(Segment segment, PartContent texts, long firstRow) throws ShipmentException {
    Part part = segment.part();
    if (part.type() != ColumnType.STRING) {
      return;
    }
    long bytes = textBytes((ColumnValues) texts, firstRow, segment.rowCount());
    if (remainingBytes.addAndGet(part.index(), -bytes) < 0) {
      throw new ShipmentException(
          Fault.LIMIT,
          "%s brings more text than the %,d raw bytes of its part"
              .formatted(segment, part.rawBytes()));
    }
  }

  private static long textBytes(ColumnValues texts, long firstRow, int rows) {
    long bytes = (long) rows * CargoSize.TEXT_LENGTH_BYTES;
    for (long row = firstRow; row < firstRow + rows; row++) {
      String text = ((String[]) texts.page(texts.pageOf(row)))[texts.offsetOf(row)];
      bytes += text == null ? 0 : text.length();
    }
    return bytes;
  }
}
