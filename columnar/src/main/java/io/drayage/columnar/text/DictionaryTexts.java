package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Each different text once, and the number of the text of each row:
 *
 * <pre>
 *   0                 4
 *   +-----------------+------------------------------------+----------------------------+
 *   | different texts | the texts, as a {@link PackedTexts}  | stream of a code per row   |
 *   | i32             |                                    | i32; absent if there is 1  |
 *   +-----------------+------------------------------------+----------------------------+
 * </pre>
 *
 * Rows with the same code share one {@link String} when they are read. Not thread-safe.
 */
public final class DictionaryTexts implements TextEncoding {
  static final int ID = 17;

  private static final int TOGETHER = 1 << 10;

  private final PackedTexts block = new PackedTexts();
  private final TextDictionary dictionary = new TextDictionary();
  private int[] codes = new int[0];

  @Override
  public int id() {
    return ID;
  }

  @Override
  public boolean write(@Nullable String[] texts, int count, Streams streams, ByteBuffer target) {
    codes = PackedTexts.atLeast(codes, count);
    int entryCount = dictionary.build(texts, count, codes);
    if (entryCount <= 0) {
      return false;
    }
    @Nullable String[] entries = new String[entryCount];
    dictionary.takeEntries(texts, entries);
    try {
      int start = target.position();
      return writeEntries(entries, count, streams, target)
          && target.position() - start < packedBytes(texts, count);
    } catch (BufferOverflowException e) {
      return false;
    }
  }

  /** About what the texts take without a dictionary. */
  private static long packedBytes(@Nullable String[] texts, int count) {
    long chars = 0;
    int shortest = Integer.MAX_VALUE;
    int longest = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      int length = text == null ? 0 : text.length();
      chars += length;
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
    }
    int lengthBits = Integer.SIZE - Integer.numberOfLeadingZeros(longest - shortest);
    return PackedTexts.HEADER_BYTES
        + StreamHeader.BYTES
        + chars
        + (((long) count * lengthBits) >>> 3);
  }

  private boolean writeEntries(
      @Nullable String[] entries, int count, Streams streams, ByteBuffer target) {
    target.putInt(entries.length);
    if (!block.write(entries, entries.length, streams, target)) {
      return false;
    }
    if (entries.length > 1) {
      streams.writeInts(codes, count, target);
    }
    return true;
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    int entryCount = source.remaining() < Integer.BYTES ? -1 : source.getInt();
    if (entryCount < 1 || entryCount > count) {
      throw Malformed.because(
          format(
              "a dictionary of %,d texts for %,d rows: expected 1 to that many",
              entryCount, count));
    }
    @Nullable String[] entries = new String[entryCount];
    block.readTexts(source, entryCount, streams, entries);
    if (entryCount == 1) {
      Arrays.fill(target, 0, count, entries[0]);
    } else {
      codes = PackedTexts.atLeast(codes, count);
      streams.readInts(source, count, codes);
      look(codes, count, entries, target);
    }
    Malformed.unlessExactly("the end of the codes of texts", source, 0);
  }

  /**
   * Puts the text of each code into its place: some at a time, by way of a new array. For each
   * element of one that is old, the garbage collector (G1) makes a note, and waits for memory.
   */
  static void look(int[] codes, int count, @Nullable String[] entries, @Nullable String[] target)
      throws ShipmentException {
    @Nullable String[] some = new String[Math.min(count, TOGETHER)];
    for (int from = 0; from < count; from += TOGETHER) {
      int n = Math.min(TOGETHER, count - from);
      for (int i = 0; i < n; i++) {
        int code = codes[from + i];
        if (code < 0 || code >= entries.length) {
          throw Malformed.because(
              format(
                  "row %,d has code %,d of a dictionary of %,d texts",
                  from + i, code, entries.length));
        }
        some[i] = entries[code];
      }
      System.arraycopy(some, 0, target, from, n);
    }
  }
}
