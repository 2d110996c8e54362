package io.drayage.columnar.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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
    Halves.low(wideDifferences, count, -(1L << 31), low);
    long[] back = new long[count];
    long start = wide[0] - wideDifferences[0];
    Halves.prefixSums(low, count, -(1L << 31), start, back);
    assertThat(back).isEqualTo(wide);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 1000, 1024})
  void flagsBecomeBits(int count) {
    int[] flags = new Random(SEED).ints(1024, 0, 2).toArray();
    long[] words = new long[16];
    int wordCount = Bits.ofFlags(flags.clone(), count, words, 0);
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
  @ValueSource(ints = {1, 2, 3, 50, 1_000_000})
  void changesBecomeBits(int different) {
    long[] wide = new Random(SEED).longs(1024, 0, different).map(v -> v << 43).toArray();
    int[] narrow = new Random(SEED).ints(1024, 0, different).map(v -> v << 12).toArray();
    for (boolean starts : new boolean[] {false, true}) {
      long[] wideBits = new long[18];
      long[] bits = new long[18];
      int[] flags = new int[1024];
      LongKernels.changes(wide, 1024, starts ? ~wide[0] : wide[0], flags);
      Bits.ofFlags(flags, 1024, wideBits, 1);
      IntKernels.changes(narrow, 1024, starts ? ~narrow[0] : narrow[0], flags);
      Bits.ofFlags(flags, 1024, bits, 1);
      assertThat(new long[] {wideBits[0], wideBits[17], bits[0], bits[17]}).containsOnly(0);
      for (int i = 0; i < 1024; i++) {
        boolean wideChanged = i == 0 ? starts : wide[i] != wide[i - 1];
        boolean changed = i == 0 ? starts : narrow[i] != narrow[i - 1];
        int word = 1 + (i >> 6);
        assertThat((wideBits[word] >>> i & 1) != 0).as("wide %d", i).isEqualTo(wideChanged);
        assertThat((bits[word] >>> i & 1) != 0).as("narrow %d", i).isEqualTo(changed);
      }
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

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 60, 200, 1024})
  void runsBecomeValues(int runs) {
    Random random = new Random(SEED + runs);
    long[] bits = new long[17];
    bits[1] = 1;
    for (int i = 1; i < runs; i++) {
      int at = random.nextInt(1024);
      bits[1 + (at >> 6)] |= 1L << at;
    }
    int begun = Bits.count(bits, 17);
    long[] values = random.longs(1024).toArray();
    int[] narrow = random.ints(1024).toArray();
    long[] to = new long[1024];
    int[] narrowTo = new int[1024];

    assertThat(LongKernels.expandRuns(bits, 1, 1024, -1, values, to)).isEqualTo(begun - 1);
    assertThat(IntKernels.expandRuns(bits, 1, 1024, -1, narrow, narrowTo)).isEqualTo(begun - 1);

    long[] filled = new long[1024];
    int[] narrowFilled = new int[1024];
    assertThat(LongKernels.fillRuns(bits, 1, 1024, -1, values, filled)).isEqualTo(begun - 1);
    assertThat(IntKernels.fillRuns(bits, 1, 1024, -1, narrow, narrowFilled)).isEqualTo(begun - 1);
    assertThat(IntKernels.areFewRuns(bits, 1, 1024)).isEqualTo(begun <= 96);
    int run = -1;
    for (int i = 0; i < 1024; i++) {
      run += (int) (bits[1 + (i >> 6)] >>> i & 1);
      assertThat(to[i]).as("value %d", i).isEqualTo(values[run]);
      assertThat(narrowTo[i]).as("value %d", i).isEqualTo(narrow[run]);
    }
    assertThat(filled).isEqualTo(to);
    assertThat(narrowFilled).isEqualTo(narrowTo);
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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 10, 31, 32, 33, 63, 64})
  void bitstreamsSurvive(int width) {
    long reference = -7L << 31;
    for (int count : new int[] {0, 1, 31, 32, 33, 1023}) {
      long[] values = new Random(SEED).longs(count).map(v -> reference + low(v, width)).toArray();
      ByteBuffer bytes = ByteBuffer.allocate(Bitstream.bytes(count, width));
      long[] read = new long[count];
      Bitstream.write(values, count, reference, width, bytes);
      assertThat(bytes.hasRemaining()).isFalse();
      Bitstream.read(bytes.flip(), count, reference, width, read);
      assertThat(read).as("%d values of %d bits", count, width).isEqualTo(values);
    }
  }

  private static long low(long value, int width) {
    return width == 0 ? 0 : value >>> (64 - width);
  }
}
