package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds a {@link TextPage}, text by text. Not thread-safe. */
public final class TextBuilder {
  /** The most bytes of one array, far below the limit of Java, so that the array can grow. */
  private static final int MAX_ARRAY_BYTES = 1 << 30;

  private final List<TextRun> done = new ArrayList<>();
  private int doneRows;
  private byte[] bytes = new byte[256];
  private int[] offsets = new int[17];
  private int count;

  /**
   * Adds a text.
   *
   * @throws IllegalTextException if the text has an unpaired surrogate
   */
  public void add(String text) {
    reserve(Utf8.MAX_BYTES_PER_CHAR * (long) text.length());
    end(Utf8.encode(text, rows(), bytes, offsets[count]));
  }

  /**
   * Adds a text.
   *
   * @throws IllegalTextException if the text is no well-formed UTF-8
   */
  public void add(byte[] utf8, int from, int length) {
    reserve(length);
    int at = offsets[count];
    System.arraycopy(utf8, from, bytes, at, length);
    end(at + length);
    check();
  }

  /**
   * Adds a text: all remaining bytes of a buffer.
   *
   * @throws IllegalTextException if the text is no well-formed UTF-8
   */
  public void add(ByteBuffer utf8) {
    int length = utf8.remaining();
    reserve(length);
    int at = offsets[count];
    utf8.get(bytes, at, length);
    end(at + length);
    check();
  }

  /**
   * Adds a text: the next {@code length} bytes of a stream.
   *
   * @throws IllegalTextException if the text is no well-formed UTF-8
   * @throws EOFException if the stream has fewer bytes
   */
  public void add(InputStream utf8, int length) throws IOException {
    reserve(length);
    int at = offsets[count];
    int read = utf8.readNBytes(bytes, at, length);
    if (read < length) {
      throw new EOFException(
          format("a text of %,d bytes: the stream ends after %,d", length, read));
    }
    end(at + length);
    check();
  }

  /** Adds copies of some texts of a page. */
  public void add(TextPage texts, int from, int rows) {
    texts.runs(from, rows).forEach(this::add);
  }

  void add(TextRun run) {
    int length = run.byteCount();
    reserve(length);
    int start = run.start(0);
    int at = offsets[count];
    System.arraycopy(run.bytes(), start, bytes, at, length);
    ensureOffsets(run.rows());
    for (int i = 1; i <= run.rows(); i++) {
      offsets[count + i] = run.start(i) - start + at;
    }
    count += run.rows();
  }

  /** Number of texts added so far. */
  public int rows() {
    return doneRows + count;
  }

  /** Returns a page of the texts. The builder is empty afterwards. */
  public TextPage build() {
    List<TextRun> runs = new ArrayList<>();
    moveTo(runs);
    return TextPage.ofRuns(runs);
  }

  /** Appends the texts to {@code runs}. The builder is empty afterwards. */
  void moveTo(List<TextRun> runs) {
    cut();
    runs.addAll(done);
    done.clear();
    doneRows = 0;
  }

  private void end(int at) {
    ensureOffsets(1);
    offsets[++count] = at;
  }

  /** Checks the last text, and removes it if it is ill-formed. */
  private void check() {
    try {
      Utf8.check(bytes, offsets, count - 1, 1);
    } catch (IllegalTextException e) {
      count--;
      throw e.countedFrom(rows());
    }
  }

  private void ensureOffsets(int more) {
    if (count + more >= offsets.length) {
      offsets = Arrays.copyOf(offsets, Math.max(2 * offsets.length, count + more + 1));
    }
  }

  private void reserve(long more) {
    if (offsets[count] + more > MAX_ARRAY_BYTES && count > 0) {
      cut();
    }
    int needed = Math.toIntExact(offsets[count] + more);
    if (needed > bytes.length) {
      int doubled = (int) Math.min(2L * bytes.length, MAX_ARRAY_BYTES);
      bytes = Arrays.copyOf(bytes, Math.max(needed, doubled));
    }
  }

  /** Ends an array. */
  private void cut() {
    if (count > 0) {
      byte[] exact = Arrays.copyOf(bytes, offsets[count]);
      done.add(new TextRun(exact, Arrays.copyOf(offsets, count + 1), 0, count));
      doneRows += count;
      count = 0;
    }
  }
}
