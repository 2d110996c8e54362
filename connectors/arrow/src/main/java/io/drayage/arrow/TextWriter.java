package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;

/** Writes texts of a column into a vector as UTF-8, a page at a time. Not thread-safe. */
final class TextWriter {
  /** UTF-8 takes no more bytes for a UTF-16 code unit. */
  private static final int MAX_BYTES = 3;

  private static final int ASCII_END = 0x80;
  private static final int TWO_BYTES_END = 0x800;

  private final VarCharVector vector;
  private final ColumnValues from;
  private final long firstRow;
  private final int rows;

  /** Of the page. */
  private byte[] bytes = new byte[0];

  private int size;
  private int[] ends = new int[0];

  /** Of the pages before. */
  private long written;

  TextWriter(FieldVector vector, ColumnValues from, long firstRow, int rows) {
    if (!(vector instanceof VarCharVector texts)) {
      throw new IllegalArgumentException(
          "column '%s': texts are written as Utf8, not as %s"
              .formatted(vector.getName(), vector.getField().getType()));
    }
    this.vector = texts;
    this.from = from;
    this.firstRow = firstRow;
    this.rows = rows;
  }

  void write() {
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    VectorBits.fill(vector.getValidityBuffer(), null, 0, rows);
    for (int done = 0; done < rows; ) {
      int page = from.pageOf(firstRow + done);
      int offset = from.offsetOf(firstRow + done);
      int count = Math.min(rows - done, from.rowsInPage(page) - offset);
      size = 0;
      ends = ends.length < count ? new int[count] : ends;
      Latin1Texts compact = from.texts(page);
      if (compact != null) {
        read(compact, offset, done, count);
      } else {
        read((String[]) from.page(page), offset, done, count);
      }
      append(done, count);
      done += count;
    }
    vector.setLastSet(rows - 1);
    vector.setValueCount(rows);
  }

  private void read(Latin1Texts texts, int offset, int at, int count) {
    int start = texts.start(offset);
    int length = texts.start(offset + count) - start;
    boolean isAscii = TextPage.isAscii(texts.characters(), start, start + length);
    if (isAscii) {
      reserve(length);
      System.arraycopy(texts.characters(), start, bytes, 0, length);
      size = length;
    }
    for (int i = 0; i < count; i++) {
      int row = offset + i;
      if (texts.isNull(row)) {
        setNull(at + i);
      } else if (!isAscii) {
        reserve(2L * texts.length(row));
        for (int c = texts.start(row); c < texts.start(row) + texts.length(row); c++) {
          encode(texts.characters()[c] & 0xFF);
        }
      }
      ends[i] = isAscii ? texts.start(row) + texts.length(row) - start : size;
    }
  }

  private void read(String[] texts, int offset, int at, int count) {
    for (int i = 0; i < count; i++) {
      String text = texts[offset + i];
      if (text == null) {
        setNull(at + i);
      } else {
        reserve((long) MAX_BYTES * text.length());
        int seen = 0;
        for (int c = 0; c < text.length(); c++) {
          char character = text.charAt(c);
          seen |= character;
          bytes[size + c] = (byte) character;
        }
        if (seen < ASCII_END) {
          size += text.length();
        } else {
          encode(text, firstRow + at + i);
        }
      }
      ends[i] = size;
    }
  }

  private void encode(String text, long row) {
    for (int c = 0; c < text.length(); c++) {
      int character = text.codePointAt(c);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException(
            format(
                "column '%s', row %,d: the text has half a character (an unpaired surrogate), which UTF-8 has no place for",
                vector.getName(), row));
      }
      encode(character);
      c += Character.charCount(character) - 1;
    }
  }

  private void encode(int character) {
    if (character < ASCII_END) {
      bytes[size++] = (byte) character;
    } else if (character < TWO_BYTES_END) {
      bytes[size++] = (byte) (0xC0 | character >> 6);
      bytes[size++] = continuation(character);
    } else {
      if (character < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
        bytes[size++] = (byte) (0xE0 | character >> 12);
      } else {
        bytes[size++] = (byte) (0xF0 | character >> 18);
        bytes[size++] = continuation(character >> 12);
      }
      bytes[size++] = continuation(character >> 6);
      bytes[size++] = continuation(character);
    }
  }

  private static byte continuation(int character) {
    return (byte) (0x80 | (character & 0x3F));
  }

  private void setNull(int at) {
    ArrowBuf bits = vector.getValidityBuffer();
    bits.setByte(at >>> 3, bits.getByte(at >>> 3) & ~(1 << (at & 7)));
  }

  private void reserve(long more) {
    long needed = size + more;
    if (needed > bytes.length) {
      requireVector(needed);
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 5 / 4));
    }
  }

  private void requireVector(long bytes) {
    if (bytes > Integer.MAX_VALUE - 8L) {
      throw new IllegalArgumentException(
          format(
              "column '%s': the texts of %,d rows have more than the 2 GiB of a vector: take fewer rows",
              vector.getName(), rows));
    }
  }

  private void append(int at, int count) {
    requireVector(written + size);
    int moved = (int) written;
    for (int i = 0; i < count; i++) {
      ends[i] += moved;
    }
    vector
        .getOffsetBuffer()
        .nioBuffer((at + 1L) * Integer.BYTES, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .put(ends, 0, count);
    if (vector.getDataBuffer().capacity() < written + size) {
      // As much for each of the rows to come.
      vector.reallocDataBuffer(Math.min(Integer.MAX_VALUE, (written + size) * rows / (at + count)));
    }
    vector.getDataBuffer().setBytes(written, bytes, 0, size);
    written += size;
  }
}
