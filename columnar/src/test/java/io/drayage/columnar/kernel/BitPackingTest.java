package io.drayage.columnar.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the generated code with a loop over single bits. */
class BitPackingTest {
  static IntStream widths() {
    return IntStream.rangeClosed(1, 32);
  }

  @ParameterizedTest
  @MethodSource("widths")
  void packsAsTheReferenceDoesAndUnpacks(int width) {
    int[] values = random(width);
    int[] words = random(99);
    int[] unpacked = random(99);

    BitPacking.pack(width, values, words);

    assertThat(IntStream.of(words).limit(32L * width).toArray())
        .as("width %d, seed %d", width, width)
        .isEqualTo(reference(values, width));

    BitPacking.unpack(width, words, unpacked);

    int mask = width == 32 ? -1 : (1 << width) - 1;
    assertThat(unpacked)
        .as("width %d, seed %d", width, width)
        .isEqualTo(IntStream.of(values).map(value -> value & mask).toArray());
  }

  /** Packs bit by bit: a lane's values one after the other, two lanes in odd widths' last words. */
  private static int[] reference(int[] values, int width) {
    int[] words = new int[32 * width];
    for (int i = 0; i < 1024; i++) {
      for (int b = 0; b < width; b++) {
        int lane = i & 63;
        int bit = (i >> 6) * width + b;
        boolean half = bit >= width / 2 * 32;
        int word = half ? width / 2 * 64 + (lane & 31) : (bit >> 5) * 64 + lane;
        int place = half ? (bit & 31) + 16 * (lane >> 5) : bit & 31;
        words[word] |= (values[i] >>> b & 1) << place;
      }
    }
    return words;
  }

  private static int[] random(int seed) {
    return new Random(seed).ints(1024).toArray();
  }
}
