package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;

/**
 * Collects the texts of a page from vectors, in one array, or in several if they do not fit into
 * one. Not thread-safe.
 */
final class VectorTexts {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private final long firstRow;
  private final int capacity;
  private final int maxBytes;

  /** The texts of the previous arrays. */
  private final List<TextRun> before = new ArrayList<>();

  private int rowsBefore;
  private int[] offsets;
  private byte[] bytes;

  /** Number of rows in this array. */
  private int rows;

  private String column = "";

  /**
   * @param firstRow its number in the column, for messages
   * @param capacity the largest number of rows
   * @param room number of rows at first
   * @param expectedBytes bytes of the first array
   */
  VectorTexts(long firstRow, int capacity, int room, int expectedBytes) {
    this(firstRow, capacity, room, expectedBytes, MAX_BYTES);
  }

  /** Creates an object with arrays of at most {@code maxBytes}. */
  VectorTexts(long firstRow, int capacity, int room, int expectedBytes, int maxBytes) {
    this.firstRow = firstRow;
    this.capacity = capacity;
    this.maxBytes = maxBytes;
    this.offsets = new int[room + 1];
    this.bytes = new byte[expectedBytes];
  }

  /** Appends {@code count} texts from {@code from} on; a null becomes the empty text. */
  void append(FieldVector vector, int from, int count) {
    column = vector.getName();
    for (int done = 0; done < count; ) {
      int fitting = fitting(vector, from + done, count - done);
      if (fitting == 0) {
        cut();
      } else {
        copy(vector, from + done, fitting);
        done += fitting;
      }
    }
  }

  /** Returns the number of texts that fit into this array; at least one if it is empty. */
  private int fitting(FieldVector vector, int from, int count) {
    ArrowBuf starts = vector.getOffsetBuffer();
    boolean isLarge = vector instanceof LargeVarCharVector;
    long end = start(starts, isLarge, from) + maxBytes - offsets[rows];
    int low = start(starts, isLarge, from + count) <= end ? count : 0;
    int high = low == count ? count : count - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (start(starts, isLarge, from + middle) <= end) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (low == 0 && rows == 0) {
      throw new IllegalArgumentException(
          format(
              "column '%s', row %,d: a text of more than %,d bytes",
              column, firstRow + rowsBefore, maxBytes));
    }
    return low;
  }

  /** Ends an array, and begins the next. */
  private void cut() {
    before.addAll(ofThisArray().runs(0, rows));
    rowsBefore += rows;
    rows = 0;
    offsets = new int[1 + Math.min(capacity - rowsBefore, offsets.length - 1)];
    bytes = new byte[0];
  }

  private void copy(FieldVector vector, int from, int count) {
    if (rows + count >= offsets.length) {
      int most = capacity - rowsBefore;
      offsets = Arrays.copyOf(offsets, 1 + Math.min(most, Math.max(rows + count, 2 * rows)));
    }
    int at = offsets[rows];
    ArrowBuf starts = vector.getOffsetBuffer();
    boolean isLarge = vector instanceof LargeVarCharVector;
    long first = start(starts, isLarge, from);
    long length = start(starts, isLarge, from + count) - first;
    if (length < 0) {
      throw new IllegalArgumentException(
          format("column '%s': the offsets of %,d texts descend", column, count));
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

  private int grown(long needed) {
    return (int) Math.min(maxBytes, needed * 5 / 4);
  }

  /** Drops the bytes of nulls, which Arrow allows. They mean nothing, and may not be a text. */
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

  /** Returns the bytes of the texts in the last array. */
  int byteCount() {
    return offsets[rows];
  }

  /**
   * Returns the texts so far, in these arrays.
   *
   * @throws IllegalTextException if a text is not UTF-8, with column and row
   */
  TextPage page() {
    TextPage last = ofThisArray();
    if (before.isEmpty()) {
      return last;
    }
    List<TextRun> runs = new ArrayList<>(before);
    runs.addAll(last.runs(0, last.rows()));
    return TextPage.joined(runs);
  }

  private TextPage ofThisArray() {
    int used = offsets[rows];
    try {
      return TextPage.of(
          used < bytes.length / 2 ? Arrays.copyOf(bytes, used) : bytes,
          rows == offsets.length - 1 ? offsets : Arrays.copyOf(offsets, rows + 1));
    } catch (IllegalTextException e) {
      throw e.in("column '%s'".formatted(column), firstRow + rowsBefore);
    }
  }
}
