package io.drayage.codec.raw;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;

/**
 * Copies values as they are, little-endian. The bytes of a segment:
 *
 * <pre>
 *   bits              words of 64 bits
 *   fixed width       values
 *   text              see {@link RawText}
 *   ... nullable      1 if validity words follow, else 0, as i64 | validity words | as above
 * </pre>
 *
 * A boolean has one byte, 0 or 1.
 */
final class RawSegmentSerializer implements SegmentSerializer {
  private final BulkValues fixedWidth = new BulkValues();

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    int words = SegmentRows.wordCount(segment);
    if (!(content instanceof ColumnValues values)) {
      return words * Long.BYTES;
    }
    int validityBytes = values.validity() == null ? 0 : Long.BYTES + words * Long.BYTES;
    long valueBytes =
        values.type().isFixedWidth()
            ? segment.rowCount() * (long) values.type().widthBytes()
            : SegmentRows.maxTextBytes(values, segment, CargoSize.TEXT_LENGTH_BYTES, 1);
    return Math.toIntExact(validityBytes + valueBytes);
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    if (content instanceof RowBits bits) {
      putWords(SegmentRows.words(bits, segment), target);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    RowBits validity = values.validity();
    if (validity != null) {
      long[] words = SegmentRows.words(validity, segment);
      boolean hasNulls = hasNulls(words, segment);
      target.putLong(hasNulls ? 1 : 0);
      if (hasNulls) {
        putWords(words, target);
      }
    }
    if (values.type().isFixedWidth()) {
      fixedWidth.write(values, segment.firstRow(), segment.rowCount(), target);
    } else {
      RawText.write(SegmentRows.texts(values, segment), target);
    }
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    if (content instanceof RowBits bits) {
      SegmentRows.requireBytes(segment, source, SegmentRows.wordCount(segment) * (long) Long.BYTES);
      SegmentRows.putWords(getWords(segment, source), bits, segment);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    RowBits validity = values.validity();
    if (validity != null && hasValidityWords(segment, source)) {
      SegmentRows.putWords(getWords(segment, source), validity, segment);
    }
    if (values.type().isFixedWidth()) {
      SegmentRows.requireBytes(
          segment, source, segment.rowCount() * (long) values.type().widthBytes());
      fixedWidth.read(source, values, segment.firstRow(), segment.rowCount());
    } else {
      SegmentRows.putDense(RawText.read(segment, source), values, segment);
    }
  }

  private static boolean hasValidityWords(Segment segment, ByteBuffer source)
      throws ShipmentException {
    long words = source.remaining() < Long.BYTES ? -1 : source.getLong();
    if (words != 0 && words != 1) {
      throw new ShipmentException(
          Fault.DECODE, "%s does not state whether validity bits follow".formatted(segment));
    }
    if (words == 1 && source.remaining() < SegmentRows.wordCount(segment) * Long.BYTES) {
      throw new ShipmentException(
          Fault.DECODE, "%s ends in the middle of its validity bits".formatted(segment));
    }
    return words == 1;
  }

  private static boolean hasNulls(long[] words, Segment segment) {
    int last = words.length - 1;
    for (int w = 0; w <= last; w++) {
      if (words[w] != (w == last ? -1L >>> -segment.rowCount() : -1L)) {
        return true;
      }
    }
    return false;
  }

  private static void putWords(long[] words, ByteBuffer target) {
    for (long word : words) {
      target.putLong(word);
    }
  }

  private static long[] getWords(Segment segment, ByteBuffer source) {
    long[] words = new long[SegmentRows.wordCount(segment)];
    for (int w = 0; w < words.length; w++) {
      words[w] = source.getLong();
    }
    return words;
  }
}
