package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels against the plainest code that does the same. */
class KernelsTest {
  private static final long SEED = 11;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 16, 29})
  void extremesAreThoseOfAStream(int bits) {
    Random random = new Random(SEED + bits);
    int[] values = random.ints(1024).map(v -> bits == 0 ? 0 : v >> (32 - bits)).toArray();
    int[] lanes = new int[256];

    assertThat(IntKernels.areSafe(values, lanes)).isTrue();
    assertThat(IntKernels.least(values, lanes)).isEqualTo(IntStream.of(values).min().orElseThrow());
    assertThat(IntKernels.most(values, lanes)).isEqualTo(IntStream.of(values).max().orElseThrow());
    assertThat(IntKernels.nonZeros(values, lanes))
        .isEqualTo((int) IntStream.of(values).filter(v -> v != 0).count());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 29, -(1 << 29) - 1})
  void oneLargeValueIsNotSafe(int large) {
    for (int place : new int[] {0, 255, 256, 600, 1023}) {
      int[] values = new int[1024];
      values[place] = large;
      assertThat(IntKernels.areSafe(values, new int[256])).as("place %d", place).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 1023, 1024})
  void differencesAndPrefixSumsReverseEachOther(int count) {
    int[] values = new Random(SEED).ints(count).toArray();
    int[] differences = new int[count];
    IntKernels.differences(values, count, 7, differences);
    int[] residuals = new int[count];
    IntKernels.subtract(differences, count, 7, residuals);
    IntKernels.prefixSums(residuals, count, 7, values[0] - 7);
    assertThat(residuals).isEqualTo(values);

    long[] wide = new Random(SEED).longs(count).map(v -> v >> 34).toArray();
    long[] wideDifferences = new long[count];
    LongKernels.differences(wide, count, -(1L << 30), wideDifferences);
    int[] low = new int[count];
    LongKernels.lowHalves(wideDifferences, count, -(1L << 31), low);
    long[] back = new long[count];
    long start = wide[0] - wideDifferences[0];
    LongKernels.prefixSums(low, count, -(1L << 31), start, back);
    assertThat(back).isEqualTo(wide);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 1000, 1024})
  void flagsBecomeBits(int count) {
    int[] flags = new Random(SEED).ints(1024, 0, 2).toArray();
    long[] words = new long[16];
    int wordCount = Flags.words(flags.clone(), count, words, 0);
    boolean[] bits = new boolean[count];
    for (int i = 0; i < count; i++) {
      bits[i] = (words[i >> 6] >>> i & 1) != 0;
      assertThat(bits[i]).as("flag %d", i).isEqualTo(flags[i] != 0);
    }
    assertThat(wordCount).isEqualTo((count + 63) / 64);
    assertThat(Arrays.stream(words).map(Long::bitCount).sum())
        .isEqualTo(IntStream.of(flags).limit(count).sum());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 10, 31, 32})
  void bitstreamsSurvive(int width) {
    int mask = width == 32 ? -1 : (1 << width) - 1;
    for (int count : new int[] {0, 1, 31, 32, 33, 1023}) {
      int[] values = new Random(SEED).ints(count).map(v -> v & mask).toArray();
      int[] words = new int[count + 2];
      int[] read = new int[count];
      Bitstream.pack(values, count, width, words, 1);
      Bitstream.unpack(words, 1, count, width, read);
      assertThat(read).as("%d values of %d bits", count, width).isEqualTo(values);
      assertThat(words[1 + Bitstream.words(count, width)]).as("behind the words").isZero();
    }
  }
}
