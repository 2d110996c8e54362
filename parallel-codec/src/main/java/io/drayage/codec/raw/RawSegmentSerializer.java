package io.drayage.codec.raw;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies values as they are, little-endian. The bytes of a segment:
 *
 * <pre>
 *   bits              words of 64 bits
 *   fixed width       values
 *   ... nullable      1 if validity words follow, else 0, as i64 | validity words | values
 *   text              see {@link RawText}
 * </pre>
 *
 * A boolean takes a byte, 0 or 1.
 */
final class RawSegmentSerializer implements SegmentSerializer {
  private final RawText text = new RawText();
  private final BulkValues fixedWidth = new BulkValues();

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    int words = SegmentRows.wordCount(segment);
    if (!(content instanceof ColumnValues values)) {
      return words * Long.BYTES;
    }
    if (!values.type().isFixedWidth()) {
      return text.maxBytes(values, segment.firstRow(), segment.rowCount());
    }
    int validityBytes = values.validity() == null ? 0 : Long.BYTES + words * Long.BYTES;
    return validityBytes + segment.rowCount() * values.type().widthBytes();
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    if (content instanceof RowBits bits) {
      putWords(bits, segment, target);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    if (!values.type().isFixedWidth()) {
      text.write(values, segment.firstRow(), segment.rowCount(), target);
      return;
    }
    RowBits validity = values.validity();
    if (validity != null) {
      boolean hasNulls = hasNulls(validity, segment);
      target.putLong(hasNulls ? 1 : 0);
      if (hasNulls) {
        putWords(validity, segment, target);
      }
    }
    fixedWidth.write(values, segment.firstRow(), segment.rowCount(), target);
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    if (content instanceof RowBits bits) {
      SegmentRows.requireBytes(segment, source, SegmentRows.wordCount(segment) * (long) Long.BYTES);
      getWords(bits, segment, source);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    if (!values.type().isFixedWidth()) {
      text.read(segment, source, values);
      return;
    }
    RowBits validity = values.validity();
    if (validity != null && hasValidityWords(segment, source)) {
      getWords(validity, segment, source);
    }
    SegmentRows.requireBytes(
        segment, source, segment.rowCount() * (long) values.type().widthBytes());
    fixedWidth.read(source, values, segment.firstRow(), segment.rowCount());
  }

  @Override
  public @Nullable Latin1Texts deserializeTexts(Segment segment, ByteBuffer source)
      throws ShipmentException {
    return text.readNarrow(segment, source);
  }

  private static boolean hasValidityWords(Segment segment, ByteBuffer source)
      throws ShipmentException {
    long words = source.remaining() < Long.BYTES ? -1 : source.getLong();
    if (words != 0 && words != 1) {
      throw new ShipmentException(
          Fault.DECODE, "%s does not tell whether validity bits follow".formatted(segment));
    }
    if (words == 1 && source.remaining() < SegmentRows.wordCount(segment) * Long.BYTES) {
      throw new ShipmentException(
          Fault.DECODE, "%s ends in the middle of its validity bits".formatted(segment));
    }
    return words == 1;
  }

  private static boolean hasNulls(RowBits validity, Segment segment) {
    long firstWord = segment.firstRow() >>> 6;
    int words = SegmentRows.wordCount(segment);
    long lastMask = -1L >>> -segment.rowCount();
    for (int w = 0; w < words; w++) {
      long expected = w == words - 1 ? lastMask : -1L;
      if ((validity.word(firstWord + w) & expected) != expected) {
        return true;
      }
    }
    return false;
  }

  private static void putWords(RowBits bits, Segment segment, ByteBuffer target) {
    long firstWord = segment.firstRow() >>> 6;
    int words = SegmentRows.wordCount(segment);
    for (int w = 0; w < words; w++) {
      target.putLong(bits.word(firstWord + w));
    }
  }

  private static void getWords(RowBits bits, Segment segment, ByteBuffer source) {
    long firstWord = segment.firstRow() >>> 6;
    int words = SegmentRows.wordCount(segment);
    for (int w = 0; w < words; w++) {
      bits.setWord(firstWord + w, source.getLong());
    }
  }
}
