package io.drayage.columnar.text;

import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TextSequence as bytes, one after the other: text {@code i} has the bytes from {@code starts[i]}
 * to {@code starts[i + 1]}. No text is null. Not thread-safe.
 *
 * <p>Short texts are copied and compared 8 bytes at a time, so the bytes after a text are read and
 * overwritten too: {@value #SLACK} bytes after the last text mean nothing.
 */
final class TextSequence {
  static final int SLACK = 4 * Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Above this, {@link System#arraycopy} is faster. */
  private static final int MAX_WORDWISE = 64;

  private byte[] bytes = new byte[0];
  private int[] starts = new int[1];
  private int count;

  /** Memory that is kept for texts that have to be copied together. */
  private byte[] own = new byte[0];

  /** Creates an object without texts. */
  TextSequence() {}

  /**
   * Wraps existing texts.
   *
   * @param bytes with {@link #SLACK} bytes after the last text
   * @param starts of all texts, and the end of the last one
   */
  TextSequence(byte[] bytes, int[] starts, int count) {
    this.bytes = bytes;
    this.starts = starts;
    this.count = count;
  }

  byte[] bytes() {
    return bytes;
  }

  int[] starts() {
    return starts;
  }

  int count() {
    return count;
  }

  /** Number of bytes of all texts. */
  int byteCount() {
    return starts[count] - starts[0];
  }

  /** Number of bytes of all texts as in the raw serializer, with four for each text's end. */
  long plainBytes() {
    return (long) count * Integer.BYTES + byteCount();
  }

  /**
   * Takes the texts of a page that are not null, without a copy of their bytes if they are in one
   * array.
   *
   * @param valid a bit for each row; null if no row is null
   */
  void take(TextPage page, long @Nullable [] valid) {
    List<TextRun> runs = page.runs(0, page.rows());
    ensureStarts(page.rows());
    count = 0;
    int end = 0;
    TextRun only = runs.size() == 1 ? runs.get(0) : null;
    if (only != null && only.start(only.rows()) + SLACK <= only.bytes().length) {
      end = only.start(0);
      if (takeStarts(only, valid, 0, end) == only.start(only.rows())) {
        bytes = only.bytes();
        return;
      }
      count = 0;
      end = 0;
    }
    own = atLeast(own, Math.toIntExact(page.byteCount(0, page.rows()) + SLACK));
    bytes = own;
    int row = 0;
    for (TextRun run : runs) {
      int from = end;
      end = takeStarts(run, valid, row, from);
      if (end - from == run.byteCount()) {
        System.arraycopy(run.bytes(), run.start(0), bytes, from, run.byteCount());
      } else {
        takeValid(run, valid, row, from);
      }
      row += run.rows();
    }
  }

  /** Drops all texts, and all references to a page's bytes. */
  void forget() {
    bytes = own;
    count = 0;
  }

  /** Notes the places of a run's texts, from {@code end} on; returns the last one's end. */
  private int takeStarts(TextRun run, long @Nullable [] valid, int row, int from) {
    int end = from;
    starts[count] = end;
    if (valid == null) {
      int shift = from - run.start(0);
      for (int i = 1; i <= run.rows(); i++) {
        starts[count + i] = run.start(i) + shift;
      }
      count += run.rows();
      return starts[count];
    }
    for (int i = 0; i < run.rows(); i++) {
      if (isSet(valid, row + i)) {
        end += run.length(i);
        starts[++count] = end;
      }
    }
    return end;
  }

  /** Copies the valid texts of a run in which null rows have texts, too. */
  private void takeValid(TextRun run, long @Nullable [] valid, int row, int from) {
    int end = from;
    for (int i = 0; i < run.rows(); i++) {
      if (valid == null || isSet(valid, row + i)) {
        System.arraycopy(run.bytes(), run.start(i), bytes, end, run.length(i));
        end += run.length(i);
      }
    }
  }

  private static boolean isSet(long[] bits, int at) {
    return (bits[at >>> 6] >>> at & 1) != 0;
  }

  /** Copies texts {@code rows[0]} to {@code rows[number - 1]} of {@code from}. */
  void take(TextSequence from, int[] rows, int number) {
    ensureStarts(number);
    int end = 0;
    starts[0] = 0;
    for (int i = 0; i < number; i++) {
      end += from.starts[rows[i] + 1] - from.starts[rows[i]];
      starts[i + 1] = end;
    }
    own = atLeast(own, end + SLACK);
    bytes = own;
    count = number;
    for (int i = 0; i < number; i++) {
      copy(from.bytes, from.starts[rows[i]], bytes, starts[i], starts[i + 1] - starts[i]);
    }
  }

  private void ensureStarts(int rows) {
    if (starts.length <= rows) {
      starts = new int[rows + 1];
    }
  }

  /**
   * Returns the page with these texts in the rows that are not null, and empty texts in null rows.
   *
   * @param valid a bit for each of {@code rows} rows; null if no row is null
   * @throws io.drayage.cargo.IllegalTextException if a text is no UTF-8
   */
  TextPage toPage(int rows, long @Nullable [] valid) {
    int[] offsets = starts;
    if (count < rows && valid != null) {
      offsets = new int[rows + 1];
      int text = 0;
      for (int row = 0; row < rows; row++) {
        offsets[row] = starts[text];
        text += isSet(valid, row) ? 1 : 0;
      }
      offsets[rows] = starts[text];
    }
    return TextPage.of(bytes, offsets);
  }

  /**
   * Copies a text, and up to {@link #SLACK} bytes after it. Most texts are shorter, and a CPU
   * predicts their lengths badly.
   */
  static void copy(byte[] from, int at, byte[] to, int toAt, int length) {
    if (length > MAX_WORDWISE) {
      System.arraycopy(from, at, to, toAt, length);
      return;
    }
    LONGS.set(to, toAt, (long) LONGS.get(from, at));
    LONGS.set(to, toAt + 8, (long) LONGS.get(from, at + 8));
    LONGS.set(to, toAt + 16, (long) LONGS.get(from, at + 16));
    LONGS.set(to, toAt + 24, (long) LONGS.get(from, at + 24));
    for (int done = SLACK; done < length; done += Long.BYTES) {
      LONGS.set(to, toAt + done, (long) LONGS.get(from, at + done));
    }
  }

  static long word(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void setWord(byte[] bytes, int at, long word) {
    LONGS.set(bytes, at, word);
  }

  static byte[] atLeast(byte[] scratch, int length) {
    return scratch.length >= length ? scratch : new byte[length];
  }

  static int[] atLeast(int[] scratch, int length) {
    return scratch.length >= length ? scratch : new int[length];
  }
}
