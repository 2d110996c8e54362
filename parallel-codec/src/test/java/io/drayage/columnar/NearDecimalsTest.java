package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NearDecimalsTest {
  private static final long SEED = 20_261_125;

  @ParameterizedTest
  @EnumSource
  void residuesLeadBackToTheSameBits(Doubles kind) {
    for (int count : new int[] {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 65536}) {
      double[] values = kind.make(count, SEED);
      for (int power = 0; power <= 18; power += 3) {
        assertRoundTrip(values, DecimalForm.QUOTIENT.pair(power));
      }
    }
  }

  private static void assertRoundTrip(double[] values, int pair) {
    int count = values.length;
    long[] bits = Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    long[] integers = new long[count + 1];
    long[] residues = new long[count + 1];
    NearDecimals.encode(bits, count, pair, integers, residues, 1);
    long[] back = new long[count];
    NearDecimals.decode(integers, residues, 1, count, pair, back);
    assertThat(back).as("pair %04x, seed %d", pair, SEED).isEqualTo(bits);
  }

  @Test
  void findsSumsAndProductsOfPrices() {
    Random random = new Random(SEED);
    double[] sums = new double[4096];
    double[] discounted = new double[4096];
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      double price = random.nextInt(100_000) / 100.0;
      sum += price;
      sums[i] = sum;
      discounted[i] = price * (1 - random.nextInt(11) / 100.0);
    }
    assertThat(NearDecimals.choose(sums, 4096)).isEqualTo(DecimalForm.QUOTIENT.pair(2));
    assertThat(NearDecimals.choose(discounted, 4096)).isEqualTo(DecimalForm.QUOTIENT.pair(4));
    assertThat(NearDecimals.estimateBits(discounted, 4096, 4)).isLessThan(4096 * 30L);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "NORMAL", "REAL_SENSOR", "ANY_BITS", "SPECIAL"})
  void refusesWhatIsFarFromDecimals(Doubles kind) {
    assertThat(NearDecimals.choose(kind.make(4096, SEED), 4096)).isEqualTo(-1);
  }

  @Test
  void takesAnyIntegersAndResidues() {
    long[] hostile = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1};
    long[] residues = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1};
    for (int pair = 0; pair < 1 << 16; pair++) {
      if (NearDecimals.isValid(pair)) {
        NearDecimals.decode(hostile, residues, 0, 4, pair, new long[4]);
      }
    }
    assertThat(NearDecimals.isValid(0x0012)).isTrue();
    assertThat(NearDecimals.isValid(0x0101)).isFalse();
  }
}
