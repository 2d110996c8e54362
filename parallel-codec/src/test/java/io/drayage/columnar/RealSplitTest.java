package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RealSplitTest {
  private static final long SEED = 20_261_126;

  private static long[] bits(double[] values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @ParameterizedTest
  @EnumSource
  void partsMakeTheSameBits(Doubles kind) {
    for (int count : new int[] {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 65536}) {
      long[] values = bits(kind.make(count, SEED));
      for (int right = 48; right <= 63; right++) {
        int drop = Math.min(right, RealSplit.trailingZeros(values, count));
        assertThat(RealSplit.isValid(right, drop)).isTrue();
        int[] lefts = new int[count];
        long[] rights = new long[count];
        RealSplit.split(values, count, right, drop, lefts, rights);
        long[] back = new long[count];
        RealSplit.join(lefts, rights, count, right, drop, back);
        assertThat(back).as("cut %d, %,d values, seed %d", right, count, SEED).isEqualTo(values);
        for (int left : lefts) {
          assertThat(left >>> RealSplit.MAX_LEFT_BITS).isZero();
        }
      }
    }
  }

  @Test
  void separatesSignsAndExponentsFromNoise() {
    Random random = new Random(SEED);
    double[] values = random.doubles(4096).map(d -> (d - 0.5) * 2).toArray();
    long[] sample = bits(values);
    int cut = RealSplit.choose(sample, sample.length);
    assertThat(RealSplit.estimateBits(sample, sample.length, cut)).isLessThan(4096 * 59L);
  }

  @Test
  void dropsTheBitsThatFloatsDoNotHave() {
    Random random = new Random(SEED);
    double[] values = random.doubles(4096).map(d -> (float) d).toArray();
    long[] sample = bits(values);
    assertThat(RealSplit.trailingZeros(sample, sample.length)).isEqualTo(29);
    int cut = RealSplit.choose(sample, sample.length);
    assertThat(RealSplit.estimateBits(sample, sample.length, cut)).isLessThan(4096 * 30L);
  }

  @Test
  void choosesForAnySample() {
    for (int count : new int[] {0, 1, 2, 511, 513}) {
      long[] sample = new Random(SEED).longs(count).toArray();
      assertThat(RealSplit.choose(sample, count)).isBetween(48, 63);
    }
  }

  @Test
  void knowsTheValidCuts() {
    assertThat(RealSplit.isValid(48, 0)).isTrue();
    assertThat(RealSplit.isValid(63, 63)).isTrue();
    assertThat(RealSplit.isValid(47, 0)).isFalse();
    assertThat(RealSplit.isValid(64, 0)).isFalse();
    assertThat(RealSplit.isValid(50, 51)).isFalse();
    assertThat(RealSplit.isValid(50, -1)).isFalse();
  }
}
