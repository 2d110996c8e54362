package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads what {@link BitsWriter} writes. Payloads:
 *
 * <pre>
 *   EMPTY, FULL             nothing
 *   BITS                    words of 64 bits
 *   GAPS, COMPLEMENT_GAPS   count i32 | stream of count ints: clear (set) bits before each set (clear) one
 *   RUNS                    count i32 | first bit i32 | stream of count ints: the length of each run, less 1
 * </pre>
 *
 * For one thread.
 */
final class BitsReader {
  private final StreamReader numbers;
  private int[] distances = new int[0];

  BitsReader(StreamReader numbers) {
    this.numbers = numbers;
  }

  /**
   * Reads a stream of {@code bits} bits.
   *
   * @param words filled; bits of the last word beyond {@code bits} are clear afterwards
   */
  EncodingTree read(ByteBuffer source, int bits, long[] words) throws ShipmentException {
    int start = source.position();
    int header = StreamHeader.read(source);
    StreamHeader.requireNoParameters(header);
    int end = source.position() + StreamHeader.payloadBytes(source);
    int limit = source.limit();
    source.limit(end);
    Encoding encoding = Encoding.ofId(header);
    EncodingTree child = null;
    if (encoding == Encoding.EMPTY || encoding == Encoding.FULL) {
      Arrays.fill(words, 0, BitsWriter.words(bits), encoding == Encoding.EMPTY ? 0L : -1L);
    } else if (encoding == Encoding.BITS) {
      Malformed.unlessExactly("a set of bits", source, BitsWriter.words(bits) * (long) Long.BYTES);
      source.asLongBuffer().get(words, 0, BitsWriter.words(bits));
      source.position(end);
    } else if (encoding == Encoding.GAPS) {
      child = readGaps(source, bits, 0, words);
    } else if (encoding == Encoding.COMPLEMENT_GAPS) {
      child = readGaps(source, bits, -1, words);
    } else if (encoding == Encoding.RUNS) {
      child = readRuns(source, bits, words);
    } else {
      throw Malformed.because("number %d is no encoding of bits".formatted(header & 0xFF));
    }
    Malformed.unlessExactly("the end of a set of bits", source, 0);
    source.limit(limit);
    words[BitsWriter.words(bits) - 1] &= -1L >>> -bits;
    return new EncodingTree(
        encoding.name(), bits, end - start, child == null ? List.of() : List.of(child));
  }

  private EncodingTree readGaps(ByteBuffer source, int bits, long inversion, long[] words)
      throws ShipmentException {
    Malformed.unlessThere("a number of gaps", source, Integer.BYTES);
    int count = source.getInt();
    Malformed.unlessWithin("a number of gaps", count, 1, bits);
    ensureRoom(count);
    EncodingTree tree = numbers.read(source, count, Room.of(Kind.INT, distances));
    requireWithin(count, bits, false);
    Arrays.fill(words, 0, BitsWriter.words(bits), inversion);
    int at = -1;
    for (int i = 0; i < count; i++) {
      at += distances[i] + 1;
      words[at >>> 6] ^= 1L << at;
    }
    return tree;
  }

  private EncodingTree readRuns(ByteBuffer source, int bits, long[] words)
      throws ShipmentException {
    Malformed.unlessThere("a number of runs", source, 2 * Integer.BYTES);
    int count = source.getInt();
    int first = source.getInt();
    Malformed.unlessWithin("a number of runs", count, 1, bits);
    Malformed.unlessWithin("a first bit", first, 0, 1);
    ensureRoom(count);
    EncodingTree tree = numbers.read(source, count, Room.of(Kind.INT, distances));
    requireWithin(count, bits, true);
    Arrays.fill(words, 0, BitsWriter.words(bits), 0);
    int at = 0;
    for (int i = 0; i < count; i++) {
      int end = at + distances[i] + 1;
      if ((i & 1) != first) {
        set(words, at, end);
      }
      at = end;
    }
    return tree;
  }

  private void ensureRoom(int count) {
    if (distances.length < count) {
      distances = new int[Math.max(count, 2 * distances.length)];
    }
  }

  /** Checks that no distance is negative, and that all of them stay within the bits. */
  private void requireWithin(int count, int bits, boolean exactly) throws ShipmentException {
    long end = 0;
    int seen = 0;
    for (int i = 0; i < count; i++) {
      end += distances[i] + 1L;
      seen |= distances[i];
    }
    if (seen < 0 || end > bits || (exactly && end != bits)) {
      throw Malformed.because(
          "%,d distances come to %,d bits, there are %,d".formatted(count, end, bits));
    }
  }

  private static void set(long[] words, int from, int end) {
    int firstWord = from >>> 6;
    int lastWord = (end - 1) >>> 6;
    long firstMask = -1L << from;
    long lastMask = -1L >>> -end;
    if (firstWord == lastWord) {
      words[firstWord] |= firstMask & lastMask;
      return;
    }
    words[firstWord] |= firstMask;
    Arrays.fill(words, firstWord + 1, lastWord, -1L);
    words[lastWord] |= lastMask;
  }
}
