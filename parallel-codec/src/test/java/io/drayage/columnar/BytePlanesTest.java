package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytePlanesTest {
  private static final long SEED = 20_261_123;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 63, 64, 65, 255, 256, 1023, 1024, 1025, 65535, 65536})
  void turnsLongsAsTheReferenceDoes(int count) {
    long[] values = new Random(SEED).longs(count).toArray();
    byte[] planes = new byte[8 * count];
    BytePlanes.split(values, count, planes);
    for (int plane = 0; plane < 8; plane++) {
      for (int i = 0; i < count; i++) {
        if (planes[plane * count + i] != (byte) (values[i] >>> (8 * plane))) {
          throw new AssertionError("plane %d, value %,d, seed %d".formatted(plane, i, SEED));
        }
      }
    }
    long[] back = new long[count];
    BytePlanes.join(planes, count, back);
    assertThat(back).as("seed %d", SEED).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 63, 64, 65, 255, 256, 1023, 1024, 1025, 65535, 65536})
  void turnsIntsAsTheReferenceDoes(int count) {
    int[] values = new Random(SEED).ints(count).toArray();
    byte[] planes = new byte[4 * count];
    BytePlanes.split(values, count, planes);
    for (int plane = 0; plane < 4; plane++) {
      for (int i = 0; i < count; i++) {
        if (planes[plane * count + i] != (byte) (values[i] >>> (8 * plane))) {
          throw new AssertionError("plane %d, value %,d, seed %d".formatted(plane, i, SEED));
        }
      }
    }
    int[] back = new int[count];
    BytePlanes.join(planes, count, back);
    assertThat(back).as("seed %d", SEED).isEqualTo(values);
  }
}
