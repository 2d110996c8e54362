package io.drayage.codec.raw;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Copies texts between the pages of a column and a buffer:
 *
 * <pre>
 *   0                  4 * rows
 *   +------------------+-------------------------------+
 *   | tag of each text | characters of each text       |
 *   | i32 ...          | 1 or 2 bytes a character      |
 *   +------------------+-------------------------------+
 * </pre>
 *
 * The tag is -1 for a null, else twice the number of UTF-16 code units, plus 1 if they take 2 bytes
 * each (little-endian) because one is above U+00FF. Unpaired surrogates survive. Not thread-safe.
 */
final class RawText {
  private static final int NULL_TAG = -1;

  private byte[] bytes = new byte[4_096];
  private char[] chars = new char[0];

  int maxBytes(ColumnValues values, long firstRow, int rowCount) {
    long bytes = 0;
    for (int i = 0; i < rowCount; i++) {
      String text = text(values, firstRow + i);
      bytes += CargoSize.TEXT_LENGTH_BYTES + (text == null ? 0 : 2L * text.length());
    }
    return Math.toIntExact(bytes);
  }

  void write(ColumnValues values, long firstRow, int rowCount, ByteBuffer target) {
    int tagsAt = target.position();
    if (target.remaining() < rowCount * Integer.BYTES) {
      throw new BufferOverflowException();
    }
    target.position(tagsAt + rowCount * Integer.BYTES);
    for (int i = 0; i < rowCount; i++) {
      String text = text(values, firstRow + i);
      target.putInt(tagsAt + i * Integer.BYTES, text == null ? NULL_TAG : write(text, target));
    }
  }

  /** Writes the characters and returns the tag. */
  private int write(String text, ByteBuffer target) {
    int length = text.length();
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    int seen = 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      seen |= c;
      bytes[i] = (byte) c;
    }
    if (seen <= 0xFF) {
      target.put(bytes, 0, length);
      return length << 1;
    }
    for (int i = 0; i < length; i++) {
      target.putChar(text.charAt(i));
    }
    return length << 1 | 1;
  }

  private static @Nullable String text(ColumnValues values, long row) {
    return ((String[]) values.page(values.pageOf(row)))[values.offsetOf(row)];
  }

  void read(Segment segment, ByteBuffer source, ColumnValues values) throws ShipmentException {
    int rows = segment.rowCount();
    int tagsAt = source.position();
    requireConsistent(segment, source);
    source.position(tagsAt + rows * Integer.BYTES);
    for (int i = 0; i < rows; i++) {
      long row = segment.firstRow() + i;
      String[] page = (String[]) values.pageForWrite(values.pageOf(row));
      page[values.offsetOf(row)] = readText(source.getInt(tagsAt + i * Integer.BYTES), source);
    }
  }

  /** All tags are checked before the first text is made. */
  private static void requireConsistent(Segment segment, ByteBuffer source)
      throws ShipmentException {
    int rows = segment.rowCount();
    int tagsAt = source.position();
    if (source.remaining() < rows * (long) Integer.BYTES) {
      throw new ShipmentException(
          Fault.DECODE,
          "%s has %,d bytes, fewer than the tags of its texts"
              .formatted(segment, source.remaining()));
    }
    long total = rows * (long) Integer.BYTES;
    for (int i = 0; i < rows; i++) {
      int tag = source.getInt(tagsAt + i * Integer.BYTES);
      if (tag < NULL_TAG) {
        throw new ShipmentException(
            Fault.DECODE, "%s: text %,d has the impossible tag 0x%08x".formatted(segment, i, tag));
      }
      total += tag == NULL_TAG ? 0 : (long) (tag >>> 1) << (tag & 1);
    }
    SegmentRows.requireBytes(segment, source, total);
  }

  private @Nullable String readText(int tag, ByteBuffer source) {
    if (tag == NULL_TAG) {
      return null;
    }
    int length = tag >>> 1;
    if ((tag & 1) == 0) {
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      source.get(bytes, 0, length);
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
    if (chars.length < length) {
      chars = new char[length];
    }
    source.asCharBuffer().get(chars, 0, length);
    source.position(source.position() + 2 * length);
    return new String(chars, 0, length);
  }
}
