package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TextPage;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;

/** Collects the texts of a page from vectors, in one array. Not thread-safe. */
final class VectorTexts {
  private static final long MAX_BYTES = Integer.MAX_VALUE - 8L;

  private final long firstRow;
  private final int capacity;
  private int[] offsets;
  private byte[] bytes;
  private int rows;
  private String column = "";

  /**
   * @param firstRow its number in the column, for messages
   * @param capacity how many rows there will be at most
   * @param room for so many rows at first
   * @param expectedBytes how large an array to begin with
   */
  VectorTexts(long firstRow, int capacity, int room, int expectedBytes) {
    this.firstRow = firstRow;
    this.capacity = capacity;
    this.offsets = new int[room + 1];
    this.bytes = new byte[expectedBytes];
  }

  /** Appends {@code count} texts from {@code from} on; a null as the empty text. */
  void append(FieldVector vector, int from, int count) {
    if (count == 0) {
      return; // Of no texts there may be no offsets.
    }
    column = vector.getName();
    if (rows + count >= offsets.length) {
      offsets = Arrays.copyOf(offsets, 1 + Math.min(capacity, Math.max(rows + count, 2 * rows)));
    }
    int at = offsets[rows];
    ArrowBuf starts = vector.getOffsetBuffer();
    boolean isLarge = vector instanceof LargeVarCharVector;
    long first = start(starts, isLarge, from);
    long length = start(starts, isLarge, from + count) - first;
    if (length < 0 || length > MAX_BYTES - at) {
      throw new IllegalArgumentException(
          format(
              "column '%s', rows from %,d on: the texts of a page have more than 2 GiB",
              column, firstRow));
    }
    if (isLarge) {
      for (int i = 1; i <= count; i++) {
        offsets[rows + i] = (int) (start(starts, true, from + i) - first) + at;
      }
    } else {
      TextVectors.ints(starts, from + 1L, count).get(offsets, rows + 1, count);
      int moved = at - (int) first;
      for (int i = rows + 1; i <= rows + count; i++) {
        offsets[i] += moved;
      }
    }
    if (bytes.length - at < length) {
      bytes = Arrays.copyOf(bytes, at == 0 ? (int) length : grown(at + length));
    }
    vector.getDataBuffer().getBytes(first, bytes, at, (int) length);
    if (vector.getNullCount() > 0) {
      dropBytesOfNulls(vector, from, count);
    }
    rows += count;
  }

  private static long start(ArrowBuf starts, boolean isLarge, int row) {
    return isLarge
        ? starts.getLong((long) row * Long.BYTES)
        : starts.getInt((long) row * Integer.BYTES);
  }

  private static int grown(long needed) {
    return (int) Math.min(MAX_BYTES, needed * 5 / 4);
  }

  /** Arrow lets a null have some, which mean nothing, and need be no text. */
  private void dropBytesOfNulls(FieldVector vector, int from, int count) {
    int to = offsets[rows];
    int start = to;
    for (int i = 0; i < count; i++) {
      int end = offsets[rows + i + 1];
      if (!vector.isNull(from + i)) {
        if (to != start) {
          System.arraycopy(bytes, start, bytes, to, end - start);
        }
        to += end - start;
      }
      offsets[rows + i + 1] = to;
      start = end;
    }
  }

  /** How many bytes the texts have so far. */
  int byteCount() {
    return offsets[rows];
  }

  /**
   * The texts so far, in these arrays.
   *
   * @throws IllegalTextException if one is no UTF-8, naming column and row
   */
  TextPage page() {
    try {
      return TextPage.of(
          bytes, rows == offsets.length - 1 ? offsets : Arrays.copyOf(offsets, rows + 1));
    } catch (IllegalTextException e) {
      throw e.in("column '%s'".formatted(column), firstRow);
    }
  }
}
