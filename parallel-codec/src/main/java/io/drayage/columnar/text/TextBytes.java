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
 * The texts of a segment as bytes, each with a 0 behind it, so that they are compared, hashed and
 * compressed without a look at the objects again:
 *
 * <pre>
 *   narrow    its characters, 1 byte each
 *   wide      {@link #WIDE}, then UTF-8: some character is above U+00FF
 *   null      {@link #NULL}
 * </pre>
 *
 * Texts that this cannot tell apart are refused: with a character U+0000, narrow ones that begin
 * with a mark, and unpaired surrogates. Not thread-safe.
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

  /** Texts whose lengths are taken before their characters. */
  private static final int LOOK_AHEAD = 64;

  /** Of the bytes, what UTF-16 must save to be the better form of wide texts. */
  private static final int MUCH_LONGER = 8;

  /** How many characters are taken together at least, where narrow texts are rare. */
  private static final int MIN_REACH = 64;

  /** What a character takes at most in UTF-8. */
  private static final int MAX_UNIT_BYTES = 3;

  private final int[] lengths = new int[LOOK_AHEAD];
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

  private int reach;
  private boolean suitable;

  /** Begins anew; nothing is looked at yet. */
  void begin(@Nullable String[] of) {
    texts = of;
    filled = 0;
    marked = 0;
    nulls = 0;
    surplus = 0;
    reach = WINDOW;
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
   * Makes the bytes of the first texts, those that are missing.
   *
   * @return false if one cannot be told apart
   */
  boolean fill(int count) {
    if (starts.length <= count) {
      starts = Arrays.copyOf(starts, Math.max(count + 1, 2 * starts.length));
    }
    int from = filled;
    int markedBefore = marked;
    while (suitable && filled < count) {
      fillWindow(count);
    }
    suitable = suitable && (from >= count || isUnambiguous(from, markedBefore));
    return suitable;
  }

  /** Takes as many texts as are expected to be narrow, and one that is not. */
  private void fillWindow(int count) {
    int at = starts[filled];
    int row = filled;
    int used = 0;
    for (int seen = row; row == seen && row < count; ) {
      seen = Math.min(count, row + LOOK_AHEAD);
      look(row, seen);
      for (int i = 0; row < seen && lengths[i] < reach - used; i++) {
        String text = texts[row];
        if (text == null) {
          chars[used] = NULL;
          marked++;
          nulls++;
        } else {
          text.getChars(0, lengths[i], chars, used);
        }
        used += lengths[i];
        chars[used++] = END;
        starts[++row] = at + used;
      }
    }
    if (used == 0) {
      fillOne(row, at);
      return;
    }
    ensure(at + used);
    narrowing.reset();
    target.limit(at + used).position(at);
    filled = row;
    if (narrowing.encode(window.limit(used).rewind(), target, true).isUnderflow()) {
      reach = Math.min(WINDOW, 2 * reach);
      return;
    }
    int wideAt = target.position();
    while (starts[filled] > wideAt) {
      filled--;
      int isNull = texts[filled] == null ? 1 : 0;
      marked -= isNull;
      nulls -= isNull;
    }
    reach = Math.min(WINDOW, Math.max(MIN_REACH, 2 * (wideAt - at)));
    fillWide(filled, starts[filled]);
  }

  /**
   * Takes the lengths of some texts. No step of this loop waits for another, so that the processor
   * fetches many of the objects at once; copied one by one, each would be waited for.
   */
  private void look(int from, int to) {
    for (int row = from; row < to; row++) {
      String text = texts[row];
      lengths[row - from] = text == null ? 1 : text.length();
    }
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
    reach = Math.min(WINDOW, 2 * reach);
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

  /** Whether there are no more zeros and marks than were put there. */
  private boolean isUnambiguous(int from, int markedBefore) {
    int marks = 0;
    for (int row = from; row < filled; row++) {
      int first = bytes[starts[row]];
      marks += first == WIDE || first == NULL ? 1 : 0;
    }
    return marks == marked - markedBefore
        && zeros(bytes, starts[from], starts[filled]) == filled - from;
  }

  /** How many bytes are 0. */
  static int zeros(byte[] bytes, int from, int to) {
    int zeros = 0;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      zeros += Long.bitCount(zerosOf((long) LONGS.get(bytes, at)));
    }
    for (; at < to; at++) {
      zeros += bytes[at] == 0 ? 1 : 0;
    }
    return zeros;
  }

  /** The highest bit of each byte that is 0. */
  static long zerosOf(long word) {
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
  }
}
