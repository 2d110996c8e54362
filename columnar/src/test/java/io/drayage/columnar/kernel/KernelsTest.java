package io.drayage.columnar.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares kernels with the plainest equivalent code. */
class KernelsTest {
  private static final long SEED = 11;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 16, 29})
  void extremesAreThoseOfAStream(int bits) {
    Random random = new Random(SEED + bits);
    int[] values = random.ints(1024).map(v -> bits == 0 ? 0 : v >> (32 - bits)).toArray();
    int[] lanes = new int[256];

    assertThat(SafeInts.areSafe(values, lanes)).isTrue();
    assertThat(SafeInts.least(values, lanes)).isEqualTo(IntStream.of(values).min().orElseThrow());
    assertThat(SafeInts.most(values, lanes)).isEqualTo(IntStream.of(values).max().orElseThrow());
    assertThat(SafeInts.nonZeros(values, lanes))
        .isEqualTo((int) IntStream.of(values).filter(v -> v != 0).count());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 29, -(1 << 29) - 1})
  void oneLargeValueIsNotSafe(int large) {
    for (int place : new int[] {0, 255, 256, 600, 1023}) {
      int[] values = new int[1024];
      values[place] = large;
      assertThat(SafeInts.areSafe(values, new int[256])).as("place %d", place).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 33, 63, 64})
  void sortsLongsOfAnyWidth(int bits) {
    LongSort sort = new LongSort();
    for (int count : new int[] {0, 1, 2, 300, 4_096}) {
      long[] values =
          new Random(SEED).longs(count).map(v -> bits == 0 ? 3 : v >> (64 - bits)).toArray();
      long[] expected = values.clone();
      Arrays.sort(expected);

      sort.sort(values, count);

      assertThat(values).isEqualTo(expected);
    }
  }

  @Test
  void zigZagDifferencesWrap() {
    int[] values = new Random(SEED).ints(MiniBlock.VALUES).toArray();
    values[0] = Integer.MIN_VALUE;
    values[1] = Integer.MAX_VALUE;
    values[2] = Integer.MIN_VALUE;
    long[] wide = IntStream.of(values).mapToLong(v -> (long) v << 32).toArray();
    int[] steps = new int[values.length];
    long[] wideSteps = new long[values.length];

    int seen = IntKernels.zigZag(values, values.length, 7, steps);
    LongKernels.zigZag(wide, wide.length, 7L << 32, wideSteps);

    int all = 0;
    for (int i = 0; i < values.length; i++) {
      int difference = values[i] - (i == 0 ? 7 : values[i - 1]);
      assertThat(steps[i]).isEqualTo(difference << 1 ^ difference >> 31);
      long wideDifference = (long) difference << 32;
      assertThat(wideSteps[i]).isEqualTo(wideDifference << 1 ^ wideDifference >> 63);
      all |= steps[i];
    }
    assertThat(seen).isEqualTo(all);
  }

  @Test
  void aDictionaryNumbersValuesAsTheyCome() {
    LongDictionary dictionary = new LongDictionary();
    int[] codes = new int[1024];
    long[] window = new long[1024];
    for (int different : new int[] {1, 40, 30_000, 5_000, 1, 20_000}) {
      dictionary.clear();
      Random random = new Random(SEED + different);
      Map<Long, Integer> numbers = new HashMap<>();
      for (int count = 1024; count > 0; count -= 11) {
        for (int i = 0; i < count; i++) {
          window[i] = (long) random.nextInt(different) << (random.nextBoolean() ? 48 : 0);
        }
        dictionary.codes(window, count, codes, 0);
        for (int i = 0; i < count; i++) {
          numbers.putIfAbsent(window[i], numbers.size());
          assertThat(codes[i]).isEqualTo(numbers.get(window[i]));
          assertThat(dictionary.values()[codes[i]]).isEqualTo(window[i]);
        }
        assertThat(dictionary.size()).isEqualTo(numbers.size());
      }
    }
  }
}
