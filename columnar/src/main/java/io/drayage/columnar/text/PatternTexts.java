package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Narrow texts of one length, as a number for some places each ({@link TextPattern}): UUIDs,
 * hashes, times, telephone numbers.
 *
 * <pre>
 *   +--------------+---------------------+
 *   | the pattern  | w bytes for each text |
 *   +--------------+---------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class PatternTexts implements TextEncoding {
  static final int ID = 30;

  /** Texts that are made at a time: the bytes of the first have arrived when they are read. */
  private static final int BATCH = 64;

  private final TextBytes texts;
  private byte[] packed = new byte[0];

  /**
   * @param texts of the segment that is written
   */
  PatternTexts(TextBytes texts) {
    this.texts = texts;
  }

  @Override
  public int id() {
    return ID;
  }

  /** The pattern of the texts, as far as some of them tell; null if they have none. */
  @Nullable TextPattern pattern(int count) {
    int[] starts = texts.starts();
    int step = count == 0 ? 0 : starts[1] - starts[0];
    if (!texts.isPlain() || step - 1 > TextPattern.MAX_LENGTH || step <= 1) {
      return null;
    }
    for (int i = 1; i <= count; i++) {
      if (starts[i] != i * step) {
        return null;
      }
    }
    return PatternSearch.ofSome(texts.bytes(), count, step - 1);
  }

  @Override
  public boolean write(@Nullable String[] of, int count, Streams streams, ByteBuffer target) {
    TextPattern some = pattern(count);
    return some != null && write(some, count, target);
  }

  /** Writes texts that have a pattern, perhaps with more characters than are known. */
  boolean write(TextPattern some, int count, ByteBuffer target) {
    TextPattern pattern = some;
    int end = pack(pattern, count);
    if (end < 0) {
      pattern = PatternSearch.ofAll(texts.bytes(), count, some.length());
      end = pattern == null ? -1 : pack(pattern, count);
    }
    if (end < 0 || end + pattern.headerBytes() > target.remaining()) {
      return false;
    }
    pattern.write(target);
    target.put(packed, 0, end);
    return true;
  }

  private int pack(TextPattern pattern, int count) {
    int length = count * pattern.width();
    ensure(length + Long.BYTES);
    Arrays.fill(packed, 0, length + Long.BYTES, (byte) 0);
    int step = pattern.length() + 1;
    for (int done = 0; done < count; done += BATCH) {
      int rows = Math.min(BATCH, count - done);
      if (!pattern.pack(texts.bytes(), done * step, rows, packed, done * pattern.width())) {
        return -1;
      }
    }
    return length;
  }

  private void ensure(int length) {
    if (packed.length < length) {
      packed = new byte[length];
    }
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    TextPattern pattern = TextPattern.read(source);
    int width = pattern.width();
    int length = pattern.length();
    Malformed.unlessWithin(
        "characters of texts", (long) length * count, 0, SegmentDecoder.MAX_SERIALIZED_BYTES);
    Malformed.unlessExactly("texts of a pattern", source, (long) width * count);
    byte[] batch = pattern.batch(BATCH);
    ensure(width * BATCH + Long.BYTES);
    for (int done = 0; done < count; done += BATCH) {
      int rows = Math.min(BATCH, count - done);
      source.get(packed, 0, rows * width);
      if (!pattern.unpack(packed, rows, batch)) {
        throw Malformed.because(
            format(
                "one of %,d texts from %,d on has a number that its pattern does not have",
                rows, done));
      }
      for (int i = 0; i < rows; i++) {
        target[done + i] =
            new String(batch, i * pattern.step(), length, StandardCharsets.ISO_8859_1);
      }
    }
  }
}
