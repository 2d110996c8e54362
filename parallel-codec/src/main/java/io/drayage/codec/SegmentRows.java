package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies the rows of a segment from pages into one dense array, and back. */
public final class SegmentRows {
  private SegmentRows() {}

  /**
   * The class of what {@link #exact} makes: that of a page, but the bits in place of floating-point
   * values, because object streams write every NaN with the canonical bits.
   */
  public static Class<?> exactClass(ColumnType type) {
    return switch (type) {
      case FLOAT -> int[].class;
      case DOUBLE -> long[].class;
      default -> type.pageClass();
    };
  }

  /** The values of the segment's rows, as one array of {@link #exactClass}. */
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

  /** Puts what {@link #exact} made into its place. */
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

  /** The values of the segment's rows, as one array of the column's type. */
  public static Object dense(ColumnValues values, Segment segment) {
    Object dense =
        Array.newInstance(values.type().pageClass().getComponentType(), segment.rowCount());
    copy(values, segment, dense);
    return dense;
  }

  /** Copies the values of the segment's rows to the start of an array of the column's type. */
  public static void copy(ColumnValues values, Segment segment, Object dense) {
    int done = 0;
    while (done < segment.rowCount()) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      System.arraycopy(values.page(values.pageOf(row)), offset, dense, done, count);
      done += count;
    }
  }

  /** Puts what {@link #dense} made into its place. */
  public static void putDense(Object dense, ColumnValues values, Segment segment) {
    int done = 0;
    while (done < segment.rowCount()) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      System.arraycopy(dense, done, values.pageForWrite(values.pageOf(row)), offset, count);
      done += count;
    }
  }

  /**
   * At most how many bytes the texts of the segment's rows take.
   *
   * @param overheadBytes at most what stands before a text, or for a null
   * @param bytesPerChar at most what a UTF-16 code unit takes
   */
  public static long maxTextBytes(
      ColumnValues values, Segment segment, int overheadBytes, int bytesPerChar) {
    long bytes = (long) segment.rowCount() * overheadBytes;
    for (int i = 0; i < segment.rowCount(); i++) {
      long row = segment.firstRow() + i;
      @Nullable String[] page = (String[]) values.page(values.pageOf(row));
      String text = page[values.offsetOf(row)];
      bytes += text == null ? 0 : (long) text.length() * bytesPerChar;
    }
    return bytes;
  }

  /** How many words the bits of the segment's rows take. */
  public static int wordCount(Segment segment) {
    return (segment.rowCount() + 63) >>> 6;
  }

  /** The words of the segment's rows. */
  public static long[] words(RowBits bits, Segment segment) {
    long firstWord = firstWord(segment);
    long[] words = new long[wordCount(segment)];
    for (int w = 0; w < words.length; w++) {
      words[w] = bits.word(firstWord + w);
    }
    return words;
  }

  /** Puts what {@link #words} made into its place. */
  public static void putWords(long[] words, RowBits bits, Segment segment) {
    long firstWord = firstWord(segment);
    for (int w = 0; w < words.length; w++) {
      bits.setWord(firstWord + w, words[w]);
    }
  }

  private static long firstWord(Segment segment) {
    if ((segment.firstRow() & 63) != 0) {
      throw new IllegalArgumentException(
          format(
              "the bits of a segment begin at a multiple of 64, not at row %,d",
              segment.firstRow()));
    }
    return segment.firstRow() >>> 6;
  }

  /**
   * Checks that {@code source} holds as many bytes as the rows of a segment take.
   *
   * @throws ShipmentException {@code DECODE} if not, naming both
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
