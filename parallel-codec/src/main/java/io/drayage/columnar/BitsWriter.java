package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a set of bits in the encoding that suits it. For one thread. */
final class BitsWriter {
  private static final int WORD_MASK = Long.SIZE - 1;

  /** What coding and decoding a number takes, and a word of bits. */
  private static final double NS_PER_NUMBER = 6;

  private static final double NS_PER_WORD = 1;

  /** About what a distance takes beyond the bits of the mean distance. */
  private static final double SPREAD_BITS = 1.7;

  private final double nsPerByte;
  private final StreamWriter numbers;
  private int[] distances = new int[0];

  /**
   * @param numbers writes the distances
   */
  BitsWriter(double nsPerByte, StreamWriter numbers) {
    this.nsPerByte = nsPerByte;
    this.numbers = numbers;
  }

  static int words(int bits) {
    return (bits + WORD_MASK) >>> 6;
  }

  /** At most how many bytes a stream of so many bits takes. */
  static int maxBytes(int bits) {
    return StreamHeader.BYTES + words(bits) * Long.BYTES;
  }

  /**
   * Writes a stream.
   *
   * @param facts as for {@link StreamWriter}
   * @param words those of the last word beyond {@code bits} are clear
   */
  EncodingTree write(long[] words, int bits, @Nullable Facts facts, ByteBuffer target) {
    int set = 0;
    int runs = 1;
    long before = words[0] & 1;
    for (int w = 0; w < words(bits); w++) {
      set += Long.bitCount(words[w]);
      runs += Long.bitCount((words[w] ^ (words[w] << 1 | before)) & mask(w, bits));
      before = words[w] >>> WORD_MASK;
    }
    Encoding encoding = choose(bits, set, runs);
    int start = target.position();
    if (encoding != Encoding.BITS) {
      try {
        return write(encoding, words, bits, set, runs, facts, target);
      } catch (StreamTooLongException e) {
        target.position(start);
      }
    }
    return write(Encoding.BITS, words, bits, set, runs, facts, target);
  }

  private static long mask(int word, int bits) {
    return word == words(bits) - 1 ? -1L >>> -bits : -1L;
  }

  private Encoding choose(int bits, int set, int runs) {
    if (set == 0) {
      return Encoding.EMPTY;
    }
    if (set == bits) {
      return Encoding.FULL;
    }
    Encoding best = Encoding.BITS;
    double bestNs = (nsPerByte * Long.BYTES + NS_PER_WORD) * words(bits);
    double gapsNs = numbersNs(bits, set);
    if (gapsNs < bestNs) {
      best = Encoding.GAPS;
      bestNs = gapsNs;
    }
    double complementNs = numbersNs(bits, bits - set);
    if (complementNs < bestNs) {
      best = Encoding.COMPLEMENT_GAPS;
      bestNs = complementNs;
    }
    return numbersNs(bits, runs) < bestNs ? Encoding.RUNS : best;
  }

  private double numbersNs(int bits, int count) {
    double each = StrictMath.log((double) bits / count) / StrictMath.log(2) + SPREAD_BITS;
    return 40 * nsPerByte + count * (each / Byte.SIZE * nsPerByte + NS_PER_NUMBER);
  }

  private EncodingTree write(
      Encoding encoding,
      long[] words,
      int bits,
      int set,
      int runs,
      @Nullable Facts facts,
      ByteBuffer target) {
    int start = StreamHeader.begin(target);
    List<EncodingTree> children = List.of();
    switch (encoding) {
      case EMPTY, FULL -> {}
      case BITS -> {
        target.asLongBuffer().put(words, 0, words(bits));
        target.position(target.position() + words(bits) * Long.BYTES);
      }
      default -> {
        int count = distances(encoding, words, bits, set, runs);
        children = List.of(writeNumbers(encoding, words, bits, count, facts, start, target));
      }
    }
    StreamHeader.end(target, start, encoding.id(), 0);
    return new EncodingTree(encoding.name(), bits, target.position() - start, children);
  }

  private EncodingTree writeNumbers(
      Encoding encoding,
      long[] words,
      int bits,
      int count,
      @Nullable Facts facts,
      int start,
      ByteBuffer target) {
    target.putInt(count);
    if (encoding == Encoding.RUNS) {
      target.putInt((int) (words[0] & 1));
    }
    int room = start + maxBytes(bits) - target.position();
    return numbers.write(Values.of(Kind.INT, distances, count), facts, target, room);
  }

  private int distances(Encoding encoding, long[] words, int bits, int set, int runs) {
    return switch (encoding) {
      case GAPS -> gaps(words, bits, set, 0);
      case COMPLEMENT_GAPS -> gaps(words, bits, bits - set, -1);
      default -> runs(words, bits, runs);
    };
  }

  /** How many clear bits stand before each set one; the other way round with an inversion of -1. */
  private int gaps(long[] words, int bits, int count, long inversion) {
    ensureRoom(count);
    int next = 0;
    int before = -1;
    for (int w = 0; w < words(bits); w++) {
      long left = (words[w] ^ inversion) & mask(w, bits);
      while (left != 0) {
        int at = (w << 6) + Long.numberOfTrailingZeros(left);
        distances[next++] = at - before - 1;
        before = at;
        left &= left - 1;
      }
    }
    return next;
  }

  /** The length of each run, less 1. */
  private int runs(long[] words, int bits, int count) {
    ensureRoom(count);
    int next = 0;
    int begin = 0;
    long before = words[0] & 1;
    for (int w = 0; w < words(bits); w++) {
      long left = (words[w] ^ (words[w] << 1 | before)) & mask(w, bits);
      before = words[w] >>> WORD_MASK;
      while (left != 0) {
        int at = (w << 6) + Long.numberOfTrailingZeros(left);
        distances[next++] = at - begin - 1;
        begin = at;
        left &= left - 1;
      }
    }
    distances[next++] = bits - begin - 1;
    return next;
  }

  private void ensureRoom(int count) {
    if (distances.length < count) {
      distances = new int[Math.max(count, 2 * distances.length)];
    }
  }
}
