package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LongDictionaryTest {
  private static final int WINDOW = Words.MINI;

  /** Many values, then few in as many slots, then many again: nothing is left of those before. */
  @Test
  void numbersValuesInTheirOrderHoweverManyCameBefore() {
    Random random = new Random(7);
    LongDictionary dictionary = new LongDictionary();
    for (int different : new int[] {3, 20_000, 1, 40, 300, 5_000, 0, 2, 20_000, 700, 5}) {
      dictionary.clear();
      Map<Long, Integer> expected = new LinkedHashMap<>();
      long[] window = new long[WINDOW];
      int[] codes = new int[WINDOW];
      int windows = different == 0 ? 0 : 4 * different / WINDOW + 2;
      for (int w = 0; w < windows; w++) {
        for (int i = 0; i < WINDOW; i++) {
          // Neighbours too: their slots lie in rows.
          window[i] = random.nextInt(different) * (random.nextBoolean() ? 1L : 1L << 32);
        }
        dictionary.codes(window, WINDOW, codes, 0);
        for (int i = 0; i < WINDOW; i++) {
          Integer known = expected.putIfAbsent(window[i], expected.size());
          int code = known == null ? expected.size() - 1 : known;
          if (codes[i] != code) {
            assertThat(codes[i]).as("%d of %d different", window[i], different).isEqualTo(code);
          }
        }
      }
      assertThat(dictionary.size()).isEqualTo(expected.size());
      int number = 0;
      for (long value : expected.keySet()) {
        assertThat(dictionary.values()[number++]).isEqualTo(value);
      }
    }
  }
}
