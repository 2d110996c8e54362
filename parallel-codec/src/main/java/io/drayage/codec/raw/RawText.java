package io.drayage.codec.raw;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.RowBits;
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
    for (int done = 0; done < rowCount; ) {
      int page = values.pageOf(firstRow + done);
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rowCount - done, values.rowsInPage(page) - offset);
      bytes += (long) count * CargoSize.TEXT_LENGTH_BYTES;
      Latin1Texts compact = values.texts(page);
      if (compact != null) {
        bytes += compact.start(offset + count) - compact.start(offset);
      } else {
        String[] texts = (String[]) values.page(page);
        for (int i = offset; i < offset + count; i++) {
          bytes += texts[i] == null ? 0 : 2L * texts[i].length();
        }
      }
      done += count;
    }
    return Math.toIntExact(bytes);
  }

  void write(ColumnValues values, long firstRow, int rowCount, ByteBuffer target) {
    int tagAt = target.position();
    if (target.remaining() < rowCount * Integer.BYTES) {
      throw new BufferOverflowException();
    }
    target.position(tagAt + rowCount * Integer.BYTES);
    for (int done = 0; done < rowCount; ) {
      int page = values.pageOf(firstRow + done);
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rowCount - done, values.rowsInPage(page) - offset);
      Latin1Texts compact = values.texts(page);
      if (compact != null) {
        write(compact, offset, count, tagAt, target);
      } else {
        String[] texts = (String[]) values.page(page);
        for (int i = 0; i < count; i++) {
          String text = texts[offset + i];
          int tag = text == null ? NULL_TAG : write(text, target);
          target.putInt(tagAt + i * Integer.BYTES, tag);
        }
      }
      tagAt += count * Integer.BYTES;
      done += count;
    }
  }

  private static void write(
      Latin1Texts texts, int offset, int count, int tagAt, ByteBuffer target) {
    int start = texts.start(offset);
    target.put(texts.characters(), start, texts.start(offset + count) - start);
    for (int i = 0; i < count; i++) {
      int row = offset + i;
      target.putInt(
          tagAt + i * Integer.BYTES, texts.isNull(row) ? NULL_TAG : texts.length(row) << 1);
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

  /** All texts of a segment; null if one has a character above U+00FF. */
  @Nullable Latin1Texts readNarrow(Segment segment, ByteBuffer source) throws ShipmentException {
    int rows = segment.rowCount();
    int tagsAt = source.position();
    requireConsistent(segment, source);
    int[] starts = new int[rows + 1];
    RowBits validity = null;
    for (int i = 0; i < rows; i++) {
      int tag = source.getInt(tagsAt + i * Integer.BYTES);
      if (tag == NULL_TAG) {
        validity = validity == null ? RowBits.allSet(rows) : validity;
        validity.clear(i);
      } else if ((tag & 1) != 0) {
        return null;
      }
      starts[i + 1] = starts[i] + (tag == NULL_TAG ? 0 : tag >>> 1);
    }
    byte[] characters = new byte[starts[rows]];
    source.position(tagsAt + rows * Integer.BYTES).get(characters);
    return new Latin1Texts(characters, starts, validity);
  }

  /** All tags are checked before the first text is made. */
  private static void requireConsistent(Segment segment, ByteBuffer source)
      throws ShipmentException {
    int rows = segment.rowCount();
    int tagsAt = source.position();
    if (source.remaining() < rows * (long) Integer.BYTES) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s has %,d bytes, fewer than the tags of its texts", segment, source.remaining()));
    }
    long total = rows * (long) Integer.BYTES;
    for (int i = 0; i < rows; i++) {
      int tag = source.getInt(tagsAt + i * Integer.BYTES);
      if (tag < NULL_TAG) {
        throw new ShipmentException(
            Fault.DECODE, format("%s: text %,d has the impossible tag 0x%08x", segment, i, tag));
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
