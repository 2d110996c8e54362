package io.drayage.columnar.bit;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.Streams;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** {@code count i32 | stream of count ints}: how many clear bits stand before each set one. */
final class BitGaps extends BitEncoding {
  BitGaps(Streams within) {
    super(35, "GAPS", within);
  }

  @Override
  int distances(BitCounts counts) {
    return counts.set();
  }

  @Override
  void begin(long[] words, int bits, int[] to, ByteBuffer target) {
    int next = 0;
    int before = -1;
    for (int w = 0; w < Bits.words(bits); w++) {
      for (long left = words[w]; left != 0; left &= left - 1) {
        int at = (w << 6) + Long.numberOfTrailingZeros(left);
        to[next++] = at - before - 1;
        before = at;
      }
    }
  }

  @Override
  int readHead(ByteBuffer source) {
    return 0;
  }

  @Override
  boolean isAllowed(long end, int bits) {
    return end <= bits;
  }

  @Override
  void join(int head, int[] from, int count, long[] words, int bits) {
    Arrays.fill(words, 0, Bits.words(bits), 0);
    int at = -1;
    for (int i = 0; i < count; i++) {
      at += from[i] + 1;
      words[at >>> 6] |= 1L << at;
    }
  }
}
