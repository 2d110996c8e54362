package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Well-formed UTF-8, as the Unicode Standard defines it (version 15, table 3-7): no overlong forms,
 * no surrogates, nothing above U+10FFFF.
 */
final class Utf8 {
  /** The most bytes of a UTF-16 code unit. */
  static final int MAX_BYTES_PER_CHAR = 3;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /**
   * Writes a string.
   *
   * @param row the row of the text, for the error
   * @param target has room of {@link #MAX_BYTES_PER_CHAR} for each code unit from {@code at} on
   * @return the end of the text in {@code target}
   * @throws IllegalTextException if the string has an unpaired surrogate
   */
  static int encode(String text, long row, byte[] target, int at) {
    int to = at;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        target[to++] = (byte) c;
      } else if (c < 0x800) {
        target[to++] = (byte) (0xC0 | (c >>> 6));
        target[to++] = (byte) (0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        target[to++] = (byte) (0xE0 | (c >>> 12));
        target[to++] = (byte) (0x80 | ((c >>> 6) & 0x3F));
        target[to++] = (byte) (0x80 | (c & 0x3F));
      } else {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < length
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          throw new IllegalTextException(
              row, format("has an unpaired surrogate, U+%04X, at character %,d", (int) c, i));
        }
        int point = Character.toCodePoint(c, text.charAt(++i));
        target[to++] = (byte) (0xF0 | (point >>> 18));
        target[to++] = (byte) (0x80 | ((point >>> 12) & 0x3F));
        target[to++] = (byte) (0x80 | ((point >>> 6) & 0x3F));
        target[to++] = (byte) (0x80 | (point & 0x3F));
      }
    }
    return to;
  }

  /**
   * Checks texts that lie one behind the other.
   *
   * @param offsets the start of text {@code first + i}, and the end of the text before it
   * @throws IllegalTextException if a text is ill-formed; rows are counted from {@code first}
   */
  static void check(byte[] bytes, int[] offsets, int first, int count) {
    if (areWellFormed(bytes, offsets, first, count)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      int to = offsets[first + i + 1];
      int bad = firstIllFormed(bytes, offsets[first + i], to);
      if (bad >= 0) {
        throw new IllegalTextException(
            i,
            format(
                "is no well-formed UTF-8: byte 0x%02X at %,d of its %,d bytes",
                bytes[bad] & 0xFF, bad - offsets[first + i], to - offsets[first + i]));
      }
    }
  }

  /** Whether the texts are well-formed together, and no text begins within a sequence. */
  private static boolean areWellFormed(byte[] bytes, int[] offsets, int first, int count) {
    int end = offsets[first + count];
    int wide = firstNotAscii(bytes, offsets[first], end);
    if (wide == end) {
      return true;
    }
    if (firstIllFormed(bytes, wide, end) >= 0) {
      return false;
    }
    int within = 0;
    for (int i = 0; i < count; i++) {
      int start = offsets[first + i];
      within |= start < end && isContinuation(bytes[start]) ? 1 : 0;
    }
    return within == 0;
  }

  private static boolean isContinuation(byte value) {
    return (value & 0xC0) == 0x80;
  }

  private static int firstNotAscii(byte[] bytes, int from, int to) {
    int at = from;
    while (at + 32 <= to
        && (((long) LONGS.get(bytes, at)
                    | (long) LONGS.get(bytes, at + 8)
                    | (long) LONGS.get(bytes, at + 16)
                    | (long) LONGS.get(bytes, at + 24))
                & HIGH_BITS)
            == 0) {
      at += 32;
    }
    while (at + Long.BYTES <= to && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
      at += Long.BYTES;
    }
    while (at < to && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** The offset of the first ill-formed sequence; -1 if there is none. */
  private static int firstIllFormed(byte[] bytes, int from, int to) {
    int at = firstNotAscii(bytes, from, to);
    while (at < to) {
      int lead = bytes[at];
      if (lead >= 0) {
        at = firstNotAscii(bytes, at, to);
        continue;
      }
      int further = furtherBytes(lead & 0xFF);
      if (further == 0 || at + further >= to || !isSecond(lead & 0xFF, bytes[at + 1] & 0xFF)) {
        return at;
      }
      for (int i = 2; i <= further; i++) {
        if (!isContinuation(bytes[at + i])) {
          return at;
        }
      }
      at += further + 1;
    }
    return -1;
  }

  /** Number of bytes after a first byte above 0x7F; 0 if it cannot begin a sequence. */
  private static int furtherBytes(int lead) {
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    return lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  }

  private static boolean isSecond(int lead, int second) {
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most;
  }
}
