package io.drayage.columnar.bit;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * {@code count i32 | first bit i32 | stream of count ints}: the length of each run of equal bits,
 * less 1.
 */
final class BitRuns extends BitEncoding {
  BitRuns(Streams within) {
    super(34, "RUNS", within);
  }

  @Override
  int distances(BitCounts counts) {
    return counts.runs();
  }

  @Override
  void begin(long[] words, int bits, int[] to, ByteBuffer target) {
    target.putInt((int) (words[0] & 1));
    int next = 0;
    int begin = 0;
    long before = words[0] & 1;
    for (int w = 0; w < Bits.words(bits); w++) {
      long left = BitCounts.changes(words[w], before, w, bits);
      before = words[w] >>> (Long.SIZE - 1);
      while (left != 0) {
        int at = (w << 6) + Long.numberOfTrailingZeros(left);
        to[next++] = at - begin - 1;
        begin = at;
        left &= left - 1;
      }
    }
    to[next] = bits - begin - 1;
  }

  @Override
  int readHead(ByteBuffer source) throws ShipmentException {
    Malformed.unlessThere("a first bit", source, Integer.BYTES);
    int first = source.getInt();
    Malformed.unlessWithin("a first bit", first, 0, 1);
    return first;
  }

  @Override
  boolean isAllowed(long end, int bits) {
    return end == bits;
  }

  @Override
  void join(int first, int[] from, int count, long[] words, int bits) {
    Arrays.fill(words, 0, Bits.words(bits), 0);
    int at = 0;
    for (int i = 0; i < count; i++) {
      int end = at + from[i] + 1;
      if ((i & 1) != first) {
        set(words, at, end);
      }
      at = end;
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
