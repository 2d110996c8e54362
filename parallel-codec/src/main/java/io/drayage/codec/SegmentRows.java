package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Copies the rows of a segment from pages into one dense array, and back. */
public final class SegmentRows {
  private SegmentRows() {}

  /**
   * The class of the arrays of {@link #exact}: the class of a page, but an array of bits for
   * floating-point values, because object streams write every NaN with the canonical bits.
   */
  public static Class<?> exactClass(ColumnType type) {
    return switch (type) {
      case FLOAT -> int[].class;
      case DOUBLE -> long[].class;
      default -> type.pageClass();
    };
  }

  /** The values of the segment's rows as one array of {@link #exactClass}. Not for texts. */
  public static Object exact(ColumnValues values, Segment segment) {
    Object dense = dense(values, segment);
    if (dense instanceof float[] floats) {
      int[] bits = new int[floats.length];
      Arrays.setAll(bits, i -> Float.floatToRawIntBits(floats[i]));
      return bits;
    }
    if (dense instanceof double[] doubles) {
      return Arrays.stream(doubles).mapToLong(Double::doubleToRawLongBits).toArray();
    }
    return dense;
  }

  /** Puts an array of {@link #exact} into its place. */
  public static void putExact(Object exact, ColumnValues values, Segment segment) {
    Object dense = exact;
    if (values.type() == ColumnType.FLOAT) {
      int[] bits = (int[]) exact;
      float[] floats = new float[bits.length];
      for (int i = 0; i < bits.length; i++) {
        floats[i] = Float.intBitsToFloat(bits[i]);
      }
      dense = floats;
    } else if (values.type() == ColumnType.DOUBLE) {
      dense = Arrays.stream((long[]) exact).mapToDouble(Double::longBitsToDouble).toArray();
    }
    putDense(dense, values, segment);
  }

  /** The values of the segment's rows as one page of the column's type. Texts share their bytes. */
  public static Object dense(ColumnValues values, Segment segment) {
    Object dense = values.type().newPage(segment.rowCount());
    copy(values, segment, dense);
    return dense;
  }

  /** Copies the values of the segment's rows to the start of a page of the column's type. */
  public static void copy(ColumnValues values, Segment segment, Object dense) {
    int done = 0;
    while (done < segment.rowCount()) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      values.type().copy(values.page(values.pageOf(row)), offset, dense, done, count);
      done += count;
    }
  }

  /** Puts a page of {@link #dense} into its place. The bytes of texts are not copied. */
  public static void putDense(Object dense, ColumnValues values, Segment segment) {
    int done = 0;
    while (done < segment.rowCount()) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      values.type().copy(dense, done, values.pageForWrite(values.pageOf(row)), offset, count);
      done += count;
    }
  }

  /** The texts of the segment's rows as one page, which shares their bytes. */
  public static TextPage texts(ColumnValues values, Segment segment) {
    return (TextPage) dense(values, segment);
  }

  /** The error for a text that is no UTF-8. {@code e} counts the segment's rows from 0. */
  public static ShipmentException malformed(Segment segment, IllegalTextException e) {
    return new ShipmentException(
        Fault.DECODE,
        String.valueOf(e.in(segment.part().toString(), segment.firstRow()).getMessage()),
        e);
  }

  /**
   * The most bytes of the texts of the segment's rows.
   *
   * @param overheadBytes the most bytes before a text
   * @param bytesPerByte the most bytes for a byte of UTF-8
   */
  public static long maxTextBytes(
      ColumnValues values, Segment segment, int overheadBytes, int bytesPerByte) {
    return (long) segment.rowCount() * overheadBytes
        + CargoSize.textBytes(values, segment.firstRow(), segment.rowCount()) * bytesPerByte;
  }

  /** Number of words of the bits of the segment's rows. */
  public static int wordCount(Segment segment) {
    return (segment.rowCount() + 63) >>> 6;
  }

  /** The bits of the segment's rows. */
  public static long[] words(RowBits bits, Segment segment) {
    long[] words = new long[wordCount(segment)];
    for (int w = 0; w < words.length; w++) {
      words[w] = bits.bits(segment.firstRow() + (long) w * Long.SIZE);
    }
    int last = words.length - 1;
    if (last >= 0) {
      words[last] &= -1L >>> -segment.rowCount();
    }
    return words;
  }

  /**
   * Puts the words of {@link #words} into their place.
   *
   * @param bits all set in words that belong to two segments
   */
  public static void putWords(long[] words, RowBits bits, Segment segment) {
    for (int w = 0; w < words.length; w++) {
      long row = segment.firstRow() + (long) w * Long.SIZE;
      int rows = (int) Math.min(Long.SIZE, segment.rowCount() - (long) w * Long.SIZE);
      if ((row & 63) == 0 && (rows == Long.SIZE || row + rows == bits.size())) {
        bits.setWord(row >>> 6, words[w]);
      } else {
        // Another segment writes the other bits of the word.
        bits.clearUnset(row, words[w] | (rows == Long.SIZE ? 0 : -1L << rows));
      }
    }
  }

  /**
   * Checks that {@code source} has exactly the bytes of a segment's rows.
   *
   * @throws ShipmentException {@code DECODE} if not; the message has both numbers
   */
  public static void requireBytes(Segment segment, ByteBuffer source, long bytes)
      throws ShipmentException {
    if (source.remaining() != bytes) {
      throw new ShipmentException(
          Fault.DECODE,
          format("%s has %,d bytes, its values take %,d", segment, source.remaining(), bytes));
    }
  }
}
