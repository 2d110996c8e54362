package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.RowBits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.jspecify.annotations.Nullable;

/** Collects the texts of a page from vectors, as the bytes that they are. Not thread-safe. */
final class TextPage {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long BEYOND_ASCII = 0x8080808080808080L;

  /** What a decoder puts in the place of bytes that are no UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final long firstRow;
  private final int capacity;
  private int[] starts;
  private @Nullable RowBits validity;
  private byte[] bytes;
  private int rows;
  private String column = "";

  /**
   * @param firstRow its number in the column, for messages
   * @param capacity how many rows it will have at most
   * @param room for so many rows at first
   * @param expectedBytes how large a buffer to begin with
   */
  TextPage(long firstRow, int capacity, int room, int expectedBytes) {
    this.firstRow = firstRow;
    this.capacity = capacity;
    this.starts = new int[room + 1];
    this.bytes = new byte[expectedBytes];
  }

  /** Appends {@code count} texts from {@code from} on. */
  void append(FieldVector vector, int from, int count) {
    if (count == 0) {
      return; // Of no texts there may be no offsets.
    }
    column = vector.getName();
    int at = starts[rows];
    if (rows + count >= starts.length) {
      int room = Math.min(capacity, Math.max(rows + count, 2 * rows));
      starts = Arrays.copyOf(starts, room + 1);
    }
    long first = readStarts(vector, from, count, at);
    int length = starts[rows + count] - at;
    if (bytes.length - at < length) {
      bytes = Arrays.copyOf(bytes, at == 0 ? length : grown(at + length));
    }
    vector.getDataBuffer().getBytes(first, bytes, at, length);
    if (vector.getNullCount() > 0) {
      appendNulls(vector.getValidityBuffer(), from, count);
    }
    rows += count;
  }

  private static int grown(int needed) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, needed * 5L / 4);
  }

  /** Where the texts begin in the page; returns where the first one does in the vector. */
  private long readStarts(FieldVector vector, int from, int count, int at) {
    ArrowBuf offsets = vector.getOffsetBuffer();
    boolean isLarge = vector instanceof LargeVarCharVector;
    int width = isLarge ? Long.BYTES : Integer.BYTES;
    long first =
        isLarge ? offsets.getLong((long) from * width) : offsets.getInt((long) from * width);
    long end = (long) (from + count) * width;
    long length = (isLarge ? offsets.getLong(end) : offsets.getInt(end)) - first;
    if (length > Integer.MAX_VALUE - 8L - at) {
      throw new IllegalArgumentException(
          format(
              "column '%s', rows from %,d on: the texts of a page have more than 2 GiB",
              column, firstRow));
    }
    if (isLarge) {
      for (int i = 0; i <= count; i++) {
        starts[rows + i] = (int) (offsets.getLong((long) (from + i) * width) - first) + at;
      }
    } else {
      offsets
          .nioBuffer((long) from * width, (count + 1) * width)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asIntBuffer()
          .get(starts, rows, count + 1);
      int moved = at - (int) first;
      for (int i = 0; i <= count; i++) {
        starts[rows + i] += moved;
      }
    }
    return first;
  }

  private void appendNulls(ArrowBuf bits, int from, int count) {
    if (validity == null) {
      validity = RowBits.allSet(capacity);
    }
    VectorBits.copy(bits, from, count, validity, rows);
    boolean hasCharacters = false;
    for (int i = rows; i < rows + count; i++) {
      hasCharacters |= !validity.get(i) && starts[i + 1] != starts[i];
    }
    if (hasCharacters) {
      dropCharactersOfNulls(validity, count);
    }
  }

  /** Arrow lets a null have some, a page does not. */
  private void dropCharactersOfNulls(RowBits valid, int count) {
    int to = starts[rows];
    int start = to;
    for (int i = rows; i < rows + count; i++) {
      int end = starts[i + 1];
      starts[i] = to;
      if (valid.get(i)) {
        System.arraycopy(bytes, start, bytes, to, end - start);
        to += end - start;
      }
      start = end;
    }
    starts[rows + count] = to;
  }

  int rows() {
    return rows;
  }

  /** How many bytes the texts have so far. */
  int size() {
    return starts[rows];
  }

  /** The texts so far: {@link Latin1Texts} if all are ASCII, else strings. */
  Object page() {
    if (!isAscii(starts[rows])) {
      return toStrings();
    }
    return new Latin1Texts(
        bytes,
        rows == starts.length - 1 ? starts : Arrays.copyOf(starts, rows + 1),
        validity == null || rows == capacity ? validity : first(validity, rows));
  }

  private static RowBits first(RowBits bits, int rows) {
    RowBits first = new RowBits(rows);
    for (long word = 0; word < first.wordCount(); word++) {
      first.setWord(word, bits.word(word));
    }
    return first;
  }

  /**
   * The texts so far.
   *
   * @throws IllegalArgumentException if one is no UTF-8, naming column and row
   */
  String[] toStrings() {
    boolean isAscii = isAscii(starts[rows]);
    String[] texts = new String[rows];
    for (int i = 0; i < rows; i++) {
      if (validity == null || validity.get(i)) {
        texts[i] =
            new String(
                bytes,
                starts[i],
                starts[i + 1] - starts[i],
                isAscii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        if (!isAscii && texts[i].indexOf(REPLACEMENT) >= 0) {
          requireUtf8(texts[i], i);
        }
      }
    }
    return texts;
  }

  private void requireUtf8(String text, int row) {
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(again, 0, again.length, bytes, starts[row], starts[row + 1])) {
      throw new IllegalArgumentException(
          format("column '%s', row %,d: the text is no UTF-8", column, firstRow + row));
    }
  }

  private boolean isAscii(int size) {
    return isAscii(bytes, 0, size);
  }

  /** Whether bytes {@code from} to {@code to - 1} are characters of ASCII. */
  static boolean isAscii(byte[] bytes, int from, int to) {
    long seen = 0;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      seen |= (long) LONGS.get(bytes, at);
    }
    for (; at < to; at++) {
      seen |= bytes[at];
    }
    return (seen & BEYOND_ASCII) == 0;
  }
}
