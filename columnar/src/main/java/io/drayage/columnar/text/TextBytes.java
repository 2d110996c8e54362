package io.drayage.columnar.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a segment, or the different ones, as bytes, each with a 0 behind it, so that they
 * are compressed without a look at the objects again:
 *
 * <pre>
 *   narrow    its characters, 1 byte each
 *   wide      {@link #WIDE}, then UTF-8: some character is above U+00FF
 *   null      {@link #NULL}
 * </pre>
 *
 * Texts that this cannot tell apart are refused: narrow ones that begin with a mark, unpaired
 * surrogates and, by {@link #areTold}, those with a character U+0000. Not thread-safe.
 */
final class TextBytes {
  static final byte END = 0;
  static final byte WIDE = 1;
  static final byte NULL = 2;

  /** Bytes behind the last text that may be read and mean nothing. */
  static final int SLACK = Long.BYTES;

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final int WINDOW = 8_192;

  /** A length of four bytes in place of a 0. */
  private static final int PLAIN_OVERHEAD_BYTES = Integer.BYTES - 1;

  /** Texts of which one that is wide costs those behind it a second look. */
  private static final int MAX_TOGETHER = 64;

  /** Of the bytes, what UTF-16 must save to be the better form of wide texts. */
  private static final int MUCH_LONGER = 8;

  /** What a character takes at most in UTF-8. */
  private static final int MAX_UNIT_BYTES = 3;

  private final int[] lengths = new int[MAX_TOGETHER];
  private final char[] chars = new char[WINDOW];
  private final CharBuffer window = CharBuffer.wrap(chars);
  private final CharsetEncoder narrowing = StandardCharsets.ISO_8859_1.newEncoder();
  private byte[] bytes = new byte[1 << 12];
  private ByteBuffer target = ByteBuffer.wrap(bytes);
  private int[] starts = new int[1 << 10];
  private @Nullable String[] texts = new String[0];
  private int filled;
  private int marked;
  private int nulls;

  /** Bytes of marks and, of UTF-8, those beyond two for a character. */
  private int surplus;

  /** How many texts are taken together: fewer where wide ones are frequent. */
  private int together;

  private boolean suitable;

  /** Begins anew; nothing is looked at yet. */
  void begin(@Nullable String[] of) {
    texts = of;
    filled = 0;
    marked = 0;
    nulls = 0;
    surplus = 0;
    together = MAX_TOGETHER;
    suitable = true;
  }

  /** Lets go of the texts. */
  void end() {
    texts = new String[0];
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where each text begins, and at {@code [count]} where the last one's 0 ends. */
  int[] starts() {
    return starts;
  }

  /** Whether every text is narrow and none is null, as far as they are filled in. */
  boolean isPlain() {
    return marked == 0;
  }

  /** Whether most of the characters take three bytes, and two as UTF-16. */
  boolean isLongerThanUtf16() {
    return surplus > starts[filled] / MUCH_LONGER;
  }

  /** How many bytes the {@code raw} serializer takes for the texts that are filled in. */
  int plainBytes() {
    return starts[filled] + PLAIN_OVERHEAD_BYTES * filled - nulls - surplus;
  }

  /**
   * Makes the bytes of the first texts, those that are missing. Whether a 0 is within one is for
   * {@link #areTold} to say, of those that are written.
   *
   * @return false if one cannot be told apart from others of as many bytes
   */
  boolean fill(int count) {
    if (starts.length <= count) {
      starts = Arrays.copyOf(starts, Math.max(count + 1, 2 * starts.length));
    }
    while (suitable && filled < count) {
      fillSome(Math.min(together, count - filled));
    }
    return suitable;
  }

  /** Takes some texts as if all were narrow, up to the first that is not. */
  private void fillSome(int most) {
    int at = starts[filled];
    int first = filled;
    int count = take(first, most, at);
    if (count == 0) {
      fillOne(first, at);
      return;
    }
    int used = starts[first + count] - at;
    ensure(at + used);
    narrowing.reset();
    target.limit(at + used).position(at);
    if (narrowing.encode(window.limit(used).rewind(), target, true).isUnderflow()) {
      filled += count;
      together = Math.min(MAX_TOGETHER, 2 * together);
    } else {
      while (starts[filled + 1] <= target.position()) {
        filled++;
      }
      together = Math.min(MAX_TOGETHER / 4, filled - first + 1);
    }
    lookAtMarks(first);
    if (filled < first + count) {
      fillWide(filled, starts[filled]);
    }
  }

  /**
   * Takes the characters of as many texts as fit into the window, and where each begins.
   *
   * <p>First their lengths: no step of that loop waits for another, so that the processor fetches
   * many of the objects at once; copied one by one, each would be waited for.
   */
  private int take(int first, int most, int at) {
    for (int i = 0; i < most; i++) {
      String text = texts[first + i];
      lengths[i] = text == null ? 1 : text.length();
    }
    int used = 0;
    for (int i = 0; i < most; i++) {
      if (lengths[i] >= WINDOW - used) {
        return i;
      }
      String text = texts[first + i];
      if (text == null) {
        chars[used] = NULL;
      } else {
        text.getChars(0, lengths[i], chars, used);
      }
      used += lengths[i];
      chars[used++] = END;
      starts[first + i + 1] = at + used;
    }
    return most;
  }

  /** A text that is longer than what is taken together. */
  private void fillOne(int row, int at) {
    String text = Objects.requireNonNull(texts[row]);
    if (!TextChars.isNarrow(text)) {
      fillWide(row, at);
      return;
    }
    byte[] own = text.getBytes(StandardCharsets.ISO_8859_1);
    ensure(at + own.length + 1);
    System.arraycopy(own, 0, bytes, at, own.length);
    bytes[at + own.length] = END;
    starts[row + 1] = at + own.length + 1;
    filled = row + 1;
    lookAtMarks(row);
  }

  private void fillWide(int row, int at) {
    String text = texts[row];
    if (text.length() > Integer.MAX_VALUE / 2 / MAX_UNIT_BYTES - at) {
      suitable = false;
      return;
    }
    ensure(at + 2 + text.length() * MAX_UNIT_BYTES);
    int to = at;
    bytes[to++] = WIDE;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[to++] = (byte) c;
        continue;
      }
      if (c < 0x800) {
        bytes[to++] = (byte) (0xC0 | (c >> 6));
      } else if (!Character.isSurrogate(c)) {
        bytes[to++] = (byte) (0xE0 | (c >> 12));
        bytes[to++] = continuation(c >> 6);
      } else {
        int point = text.codePointAt(i++);
        if (!Character.isSupplementaryCodePoint(point)) {
          suitable = false;
          return;
        }
        bytes[to++] = (byte) (0xF0 | (point >> 18));
        bytes[to++] = continuation(point >> 12);
        bytes[to++] = continuation(point >> 6);
        bytes[to++] = continuation(point);
        continue;
      }
      bytes[to++] = continuation(c);
    }
    bytes[to++] = END;
    marked++;
    surplus += to - at - 1 - 2 * text.length();
    starts[row + 1] = to;
    filled = row + 1;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private void ensure(int length) {
    if (bytes.length < length + SLACK) {
      bytes = Arrays.copyOf(bytes, Math.max(length + SLACK, bytes.length + bytes.length / 2));
      target = ByteBuffer.wrap(bytes);
    }
  }

  /** Counts the nulls among narrow texts; another one must not begin with a mark. */
  private void lookAtMarks(int from) {
    for (int row = from; row < filled; row++) {
      int first = bytes[starts[row]];
      if (first == WIDE || first == NULL) {
        suitable &= texts[row] == null;
        marked++;
        nulls++;
      }
    }
  }

  /** Whether so many bytes of texts have a 0 behind each, and no other one. */
  static boolean areTold(byte[] bytes, int length, int count) {
    int zeros = 0;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      zeros += Long.bitCount(zerosOf((long) LONGS.get(bytes, at)));
    }
    for (; at < length; at++) {
      zeros += bytes[at] == 0 ? 1 : 0;
    }
    return zeros == count;
  }

  /** The highest bit of each byte that is 0. */
  static long zerosOf(long word) {
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
  }
}
