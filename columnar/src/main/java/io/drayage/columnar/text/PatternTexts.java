package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TextSequence of one length, in which a number stands for each few bytes ({@link TextPattern}):
 * UUIDs, hashes, times, telephone numbers.
 *
 * <pre>
 *   +--------------+-----------------------+
 *   | the pattern  | w bytes for each text |
 *   +--------------+-----------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class PatternTexts extends TextEncoding {
  /** Estimates the compressed size of the texts. */
  private final TerminatedTexts other;

  private byte[] packed = new byte[0];

  PatternTexts(TerminatedTexts other) {
    super(19, "PATTERN");
    this.other = other;
  }

  @Override
  @Nullable List<Scheme> write(TextSequence texts, ByteBuffer target) {
    int length = texts.byteCount() / texts.count();
    if (!areOfLength(texts, length)) {
      return null;
    }
    TextPattern pattern = TextPattern.ofSome(texts, length);
    if (pattern == null || pattern.bytesOf(texts.count()) >= other.estimate(texts)) {
      return null;
    }
    boolean packs = pack(texts, pattern);
    if (!packs) {
      pattern = TextPattern.ofAll(texts, length);
      packs = pattern != null && pack(texts, pattern);
    }
    if (pattern == null || !packs || pattern.bytesOf(texts.count()) > target.remaining()) {
      return null;
    }
    pattern.write(target);
    target.put(packed, 0, texts.count() * pattern.width());
    return List.of();
  }

  private static boolean areOfLength(TextSequence texts, int length) {
    if (length < 1 || length > TextPattern.MAX_LENGTH) {
      return false;
    }
    int[] starts = texts.starts();
    for (int i = 0; i < texts.count(); i++) {
      if (starts[i + 1] - starts[i] != length) {
        return false;
      }
    }
    return true;
  }

  private boolean pack(TextSequence texts, TextPattern pattern) {
    packed = TextSequence.atLeast(packed, texts.count() * pattern.width() + TextSequence.SLACK);
    return pattern.pack(texts.bytes(), texts.starts()[0], texts.count(), packed);
  }

  @Override
  TextSequence read(ByteBuffer source, int count, List<Scheme> within) throws ShipmentException {
    TextPattern pattern = TextPattern.read(source);
    int length = pattern.length();
    Malformed.unlessWithin("bytes of texts", (long) length * count, 0, Segment.MAX_RAW_BYTES);
    Malformed.unlessExactly("texts of a pattern", source, (long) pattern.width() * count);
    int packedBytes = source.remaining();
    packed = TextSequence.atLeast(packed, packedBytes + TextSequence.SLACK);
    source.get(packed, 0, packedBytes);
    byte[] bytes = new byte[length * count + TextSequence.SLACK];
    if (!pattern.unpack(packed, count, bytes)) {
      throw Malformed.because(
          format("one of %,d texts has a number outside of its pattern", count));
    }
    int[] starts = new int[count + 1];
    for (int i = 0; i <= count; i++) {
      starts[i] = i * length;
    }
    return new TextSequence(bytes, starts, count);
  }
}
