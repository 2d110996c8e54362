package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes at each place of texts of one length. Places form groups, from the first place on: up
 * to four places, with at most 1,024 combinations. The number of a combination is {@code ((r1 * s2
 * + r2) * s3 + r3) * s4 + r4}, from the rank of each byte and the number of bytes of each place.
 * All numbers of a group have the bits of its largest number. The numbers of a text follow each
 * other, lowest bits first. A text ends at a byte boundary.
 *
 * <pre>
 *   0             1
 *   +-------------+----------------------------------------------------+
 *   | length u8   | of each place: how many bytes u8, these, ascending |
 *   | 1..64       | 1..255         u8 ...                              |
 *   +-------------+----------------------------------------------------+
 * </pre>
 */
final class TextPattern {
  static final int MAX_LENGTH = 64;

  private static final int BYTES = 1 << Byte.SIZE;
  private static final int MAX_TOGETHER = Integer.BYTES;
  private static final int MAX_COMBINATIONS = 1 << 10;

  /** Number of texts that are unpacked while they are in the cache. */
  private static final int BATCH = 256;

  /** Number of texts in the sample for the common pattern. */
  private static final int LOOKED_AT = 512;

  /** Kinds of digits: if all bytes of a place are digits of one kind, any such is expected. */
  private static final String[] LIKELY = {"0123456789", "0123456789abcdef", "0123456789ABCDEF"};

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final short NOT_THERE = Short.MIN_VALUE;

  /** The bytes of each place, ascending. */
  private final byte[][] places;

  /** The first place of each group, and after the last group the length. */
  private final int[] firsts;

  private final int[] combinations;

  /** The first bit of each group's number, and after the last group the end of all. */
  private final int[] bits;

  private final int groups;
  private final int width;

  private TextPattern(byte[][] places) {
    this.places = places;
    int length = places.length;
    firsts = new int[length + 1];
    combinations = new int[length];
    bits = new int[length + 1];
    int group = -1;
    for (int place = 0; place < length; place++) {
      int size = places[place].length;
      boolean fits =
          group >= 0
              && place - firsts[group] < MAX_TOGETHER
              && combinations[group] * size <= MAX_COMBINATIONS;
      if (!fits) {
        firsts[++group] = place;
        combinations[group] = 1;
      }
      combinations[group] *= size;
      bits[group + 1] = bits[group] + bitsOf(combinations[group]);
    }
    groups = group + 1;
    firsts[groups] = length;
    width = (bits[groups] + 7) >>> 3;
  }

  private static int bitsOf(int numbers) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(numbers - 1);
  }

  /** Returns the pattern of a sample of the texts, widened by likely other bytes. */
  static @Nullable TextPattern ofSome(TextSequence texts, int length) {
    boolean[][] seen = seen(texts, length, Math.max(1, texts.count() / LOOKED_AT));
    for (boolean[] of : seen) {
      widen(of);
    }
    return of(seen);
  }

  /** Returns the pattern of all texts. */
  static @Nullable TextPattern ofAll(TextSequence texts, int length) {
    return of(seen(texts, length, 1));
  }

  private static boolean[][] seen(TextSequence texts, int length, int step) {
    boolean[][] seen = new boolean[length][BYTES];
    for (int row = 0; row < texts.count(); row += step) {
      int start = texts.starts()[row];
      for (int place = 0; place < length; place++) {
        seen[place][texts.bytes()[start + place] & 0xFF] = true;
      }
    }
    return seen;
  }

  private static void widen(boolean[] seen) {
    int all = 0;
    for (boolean is : seen) {
      all += is ? 1 : 0;
    }
    for (String likely : LIKELY) {
      int among = (int) likely.chars().filter(c -> seen[c]).count();
      if (among == all && all > 1) {
        likely.chars().forEach(c -> seen[c] = true);
        return;
      }
    }
  }

  private static @Nullable TextPattern of(boolean[][] seen) {
    byte[][] places = new byte[seen.length][];
    byte[] some = new byte[BYTES];
    for (int place = 0; place < places.length; place++) {
      int size = 0;
      for (int b = 0; b < BYTES; b++) {
        if (seen[place][b]) {
          some[size++] = (byte) b;
        }
      }
      if (size == BYTES) {
        return null;
      }
      places[place] = Arrays.copyOf(some, size);
    }
    return new TextPattern(places);
  }

  int length() {
    return places.length;
  }

  /** Number of bytes of a packed text. */
  int width() {
    return width;
  }

  /** Number of bytes of this pattern and of so many packed texts. */
  long bytesOf(int texts) {
    long bytes = 1L + (long) texts * width;
    for (byte[] of : places) {
      bytes += 1 + of.length;
    }
    return bytes;
  }

  void write(ByteBuffer target) {
    target.put((byte) places.length);
    for (byte[] of : places) {
      target.put((byte) of.length).put(of);
    }
  }

  static TextPattern read(ByteBuffer source) throws ShipmentException {
    int length = source.hasRemaining() ? source.get() & 0xFF : 0;
    Malformed.unlessWithin("a pattern's length", length, 1, MAX_LENGTH);
    byte[][] places = new byte[length][];
    for (int place = 0; place < length; place++) {
      int size = source.hasRemaining() ? source.get() & 0xFF : 0;
      if (size == 0 || size > source.remaining()) {
        throw Malformed.because(format("place %,d of a pattern has no bytes", place));
      }
      places[place] = new byte[size];
      source.get(places[place]);
      for (int i = 1; i < size; i++) {
        if ((places[place][i - 1] & 0xFF) >= (places[place][i] & 0xFF)) {
          throw Malformed.because(
              format("the bytes of place %,d of a pattern do not ascend", place));
        }
      }
    }
    return new TextPattern(places);
  }

  /**
   * Packs consecutive texts.
   *
   * @param to has {@link TextSequence#SLACK} bytes after the packed texts
   * @return false if a text does not have this pattern
   */
  boolean pack(byte[] from, int start, int count, byte[] to) {
    short[] parts = parts();
    int bad = 0;
    int text = start;
    for (int i = 0; i < count; i++) {
      int target = i * width;
      long word = 0;
      int filled = 0;
      int place = 0;
      for (int g = 0; g < groups; g++) {
        int number = 0;
        for (; place < firsts[g + 1]; place++) {
          number += parts[(place << 8) | (from[text + place] & 0xFF)];
        }
        bad |= number;
        word |= (long) number << filled;
        filled += bits[g + 1] - bits[g];
        if (filled >= Integer.SIZE) {
          INTS.set(to, target, (int) word);
          target += Integer.BYTES;
          word >>>= Integer.SIZE;
          filled -= Integer.SIZE;
        }
      }
      TextSequence.setWord(to, target, word);
      text += places.length;
    }
    return bad >= 0;
  }

  /** Returns the addend of each byte for its group's number; negative outside the pattern. */
  private short[] parts() {
    short[] parts = new short[places.length << 8];
    Arrays.fill(parts, NOT_THERE);
    for (int g = 0; g < groups; g++) {
      int factor = 1;
      for (int place = firsts[g + 1] - 1; place >= firsts[g]; place--) {
        for (int rank = 0; rank < places[place].length; rank++) {
          parts[(place << 8) | (places[place][rank] & 0xFF)] = (short) (rank * factor);
        }
        factor *= places[place].length;
      }
    }
    return parts;
  }

  /**
   * Unpacks texts, one after the other.
   *
   * @param from has {@link TextSequence#SLACK} bytes after the packed texts
   * @param to has {@link TextSequence#SLACK} bytes after the space for the texts
   * @return false if a text has an invalid number
   */
  boolean unpack(byte[] from, int count, byte[] to) {
    int[][] bytes = bytesOfNumbers();
    int missing = 0;
    for (int done = 0; done < count; done += BATCH) {
      int rows = Math.min(BATCH, count - done);
      for (int g = 0; g < groups; g++) {
        missing |= unpack(g, bytes[g], from, done, rows, to);
      }
    }
    return missing >= 0;
  }

  /** Unpacks a group of some texts; negative if a number is invalid. */
  private int unpack(int group, int[] bytes, byte[] from, int first, int rows, byte[] to) {
    int at = first * width + (bits[group] >>> 3);
    int shift = bits[group] & 7;
    int largest = combinations[group] - 1;
    int target = first * places.length + firsts[group];
    int missing = 0;
    if (firsts[group] + Integer.BYTES <= places.length) {
      // Surplus bytes are overwritten by the next groups. That would not hold for the next text.
      for (int i = 0; i < rows; i++) {
        int number = (int) (TextSequence.word(from, at + i * width) >>> shift) & (bytes.length - 1);
        missing |= largest - number;
        INTS.set(to, target + i * places.length, bytes[number]);
      }
      return missing;
    }
    for (int i = 0; i < rows; i++) {
      int number = (int) (TextSequence.word(from, at + i * width) >>> shift) & (bytes.length - 1);
      missing |= largest - number;
      int rest = bytes[number];
      for (int place = firsts[group]; place < firsts[group + 1]; place++) {
        to[(first + i) * places.length + place] = (byte) rest;
        rest >>>= Byte.SIZE;
      }
    }
    return missing;
  }

  /** Returns the bytes of each number of each group, the first byte lowest. */
  private int[][] bytesOfNumbers() {
    int[][] bytes = new int[groups][];
    for (int g = 0; g < groups; g++) {
      bytes[g] = new int[1 << (bits[g + 1] - bits[g])];
      for (int number = 0; number < combinations[g]; number++) {
        int rest = number;
        for (int place = firsts[g + 1] - 1; place >= firsts[g]; place--) {
          byte[] of = places[place];
          bytes[g][number] |= (of[rest % of.length] & 0xFF) << (Byte.SIZE * (place - firsts[g]));
          rest /= of.length;
        }
      }
    }
    return bytes;
  }
}
