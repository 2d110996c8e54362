package io.drayage.duckdb;

import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.RowBits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.vector.VarCharVector;
import org.jspecify.annotations.Nullable;

/** Collects the texts of a page from vectors, as the bytes that they are. Not thread-safe. */
final class TextPage {
  private final int[] starts;
  private @Nullable RowBits validity;
  private byte[] bytes;
  private int rows;

  /**
   * @param rows that it will have
   * @param expectedBytes how large a buffer to begin with
   */
  TextPage(int rows, int expectedBytes) {
    this.starts = new int[rows + 1];
    this.bytes = new byte[expectedBytes];
  }

  /** Appends {@code count} texts from {@code from} on. */
  void append(VarCharVector vector, int from, int count) {
    if (count == 0) {
      return;
    }
    int first = vector.getStartOffset(from);
    int end = vector.getEndOffset(from + count - 1);
    int at = starts[rows];
    if (bytes.length - at < end - first) {
      bytes = Arrays.copyOf(bytes, Math.addExact(at, end - first) * 5 / 4);
    }
    vector.getDataBuffer().getBytes(first, bytes, at, end - first);
    for (int i = 0; i < count; i++) {
      starts[rows + i + 1] = at + vector.getEndOffset(from + i) - first;
    }
    if (vector.getNullCount() > 0) {
      for (int i = 0; i < count; i++) {
        if (vector.isNull(from + i)) {
          if (validity == null) {
            validity = RowBits.allSet(starts.length - 1);
          }
          validity.clear(rows + i);
        }
      }
    }
    rows += count;
  }

  /** How many bytes the texts have so far. */
  int size() {
    return starts[rows];
  }

  /** The page: {@link Latin1Texts} of texts in ASCII, else strings. */
  Object page() {
    int size = starts[rows];
    if (Ascii.isAscii(bytes, 0, size)) {
      return new Latin1Texts(bytes, starts, validity);
    }
    String[] texts = new String[rows];
    for (int i = 0; i < rows; i++) {
      if (validity == null || validity.get(i)) {
        texts[i] = new String(bytes, starts[i], starts[i + 1] - starts[i], StandardCharsets.UTF_8);
      }
    }
    return texts;
  }
}
