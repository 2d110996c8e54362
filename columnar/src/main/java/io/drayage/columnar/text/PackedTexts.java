package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Texts as tags and characters, as are the different texts of {@link DictionaryTexts}.
 *
 * <pre>
 *   0       1          4
 *   +-------+----------+--------------------------+-----------------------------+
 *   | flags | 0        | stream of a tag per text | characters of each text     |
 *   | u8    | u8 u8 u8 | i32                      | 1 byte each, or 2 if wide   |
 *   +-------+----------+--------------------------+-----------------------------+
 * </pre>
 *
 * A tag starts as the number of UTF-16 code units. With {@link #WIDE} it is doubled, plus 1 if they
 * take 2 bytes each (little-endian) because one is above U+00FF. With {@link #NULLS} it is then
 * increased by 1, and 0 is a null. Unpaired surrogates survive. Not thread-safe.
 */
public final class PackedTexts implements TextEncoding {
  static final int ID = 18;

  /** Some text has a character above U+00FF. */
  static final int WIDE = 1;

  /** Some text is null. */
  static final int NULLS = 2;

  static final int HEADER_BYTES = 4;
  private static final int KNOWN_FLAGS = WIDE | NULLS;

  private final TextChars chars = new TextChars();
  private int[] tags = new int[0];

  @Override
  public int id() {
    return ID;
  }

  @Override
  public boolean write(@Nullable String[] texts, int count, Streams streams, ByteBuffer target) {
    try {
      return tryWrite(texts, count, streams, target);
    } catch (BufferOverflowException e) {
      return false;
    }
  }

  private boolean tryWrite(
      @Nullable String[] texts, int count, Streams streams, ByteBuffer target) {
    int start = target.position();
    if (target.remaining() < HEADER_BYTES) {
      return false;
    }
    int nulls = takeLengths(texts, count) ? NULLS : 0;
    putTags(nulls, count, streams, target);
    long charCount = charCount(texts, count);
    if (charCount > target.remaining()) {
      return false;
    }
    if (chars.putNarrow(texts, count, target)) {
      return true;
    }
    target.position(start);
    return writeWide(texts, count, nulls, streams, target);
  }

  /** Makes the tags of narrow texts; whether one is null. */
  private boolean takeLengths(@Nullable String[] texts, int count) {
    tags = atLeast(tags, count);
    boolean hasNull = false;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      hasNull |= text == null;
      tags[i] = text == null ? -1 : text.length();
    }
    for (int i = 0; i < count && hasNull; i++) {
      tags[i]++;
    }
    return hasNull;
  }

  private static long charCount(@Nullable String[] texts, int count) {
    long charCount = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      charCount += text == null ? 0 : text.length();
    }
    return charCount;
  }

  private void putTags(int flags, int count, Streams streams, ByteBuffer target) {
    target.putInt(flags);
    streams.writeInts(tags, count, target);
  }

  private boolean writeWide(
      @Nullable String[] texts, int count, int nulls, Streams streams, ByteBuffer target) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      if (text == null) {
        tags[i] = 0;
      } else {
        int wide = TextChars.isNarrow(text) ? 0 : 1;
        tags[i] = (text.length() << 1 | wide) + (nulls == 0 ? 0 : 1);
        bytes += (long) text.length() << wide;
      }
    }
    putTags(nulls | WIDE, count, streams, target);
    if (bytes > target.remaining()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      if (text != null) {
        boolean wide = ((tags[i] - (nulls == 0 ? 0 : 1)) & 1) != 0;
        chars.put(text, wide, target);
      }
    }
    return true;
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    readTexts(source, count, streams, target);
    Malformed.unlessExactly("the end of the texts", source, 0);
  }

  /**
   * Reads texts, which something may follow. All tags are checked before the first text is made.
   */
  void readTexts(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    int flags = source.remaining() < HEADER_BYTES ? -1 : source.getInt();
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw Malformed.because(format("texts with the flags 0x%08x: known are 0 to 3", flags));
    }
    tags = atLeast(tags, count);
    streams.readInts(source, count, tags);
    int nulls = (flags & NULLS) == 0 ? 0 : 1;
    int wides = flags & WIDE;
    requireChars(source, count, nulls, wides);
    if (flags == 0) {
      chars.getNarrow(source, tags, count, target);
      return;
    }
    for (int i = 0; i < count; i++) {
      int tag = tags[i] - nulls;
      boolean wide = (tag & wides) != 0;
      target[i] = tag < 0 ? null : chars.get(source, tag >>> wides, wide);
    }
  }

  private void requireChars(ByteBuffer source, int count, int nulls, int wides)
      throws ShipmentException {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      int tag = tags[i];
      if (tag < 0) {
        throw Malformed.because(format("text %,d has the impossible tag 0x%08x", i, tag));
      }
      int length = Math.max(0, tag - nulls);
      bytes += (long) (length >>> wides) << (length & wides);
    }
    Malformed.unlessThere("the characters of texts", source, bytes);
  }

  static int[] atLeast(int[] scratch, int count) {
    return scratch.length >= count ? scratch : new int[count];
  }
}
