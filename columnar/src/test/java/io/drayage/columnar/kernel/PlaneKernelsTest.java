package io.drayage.columnar.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlaneKernelsTest {
  @Test
  void differencesOfIntsAreTheSameInBothWidths() {
    int[] values = new SplittableRandom(5).ints(MiniBlock.VALUES).toArray();
    values[0] = Integer.MIN_VALUE;
    values[1] = Integer.MAX_VALUE;
    values[2] = Integer.MIN_VALUE;
    long[] wide = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      wide[i] = values[i];
    }
    int[] steps = new int[values.length];
    int seen = PlaneKernels.zigZag(values, values.length, 7, steps);

    long last = PlaneKernels.zigZag(wide, wide.length, 7, false);

    assertThat(last).isEqualTo(values[values.length - 1]);
    long wideSeen = 0;
    for (int i = 0; i < values.length; i++) {
      assertThat(steps[i] & 0xFFFFFFFFL).isEqualTo(wide[i]);
      wideSeen |= wide[i];
    }
    assertThat(seen & 0xFFFFFFFFL).isEqualTo(wideSeen);
  }
}
