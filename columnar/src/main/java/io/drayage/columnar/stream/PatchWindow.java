package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.Bits;
import java.util.Arrays;

/** Finds the best window for patching numbers. Not thread-safe; reused. */
final class PatchWindow {
  /** Bits of an exception's position. */
  private static final int POSITION_BITS = 10;

  private final int[] above = new int[Long.SIZE + 1];
  private final int[] below = new int[Long.SIZE + 1];
  private long[] numbers = new long[0];
  private int count;
  private int kindBits;
  private double bits;
  private long reference;
  private int width;

  /** Bits of the largest distance in the last measurement. */
  private int widest;

  /** Begins with other numbers, which are not copied. */
  void begin(long[] newNumbers, int newCount, int newKindBits) {
    numbers = newNumbers;
    count = newCount;
    kindBits = newKindBits;
    bits = Double.MAX_VALUE;
  }

  /** Returns the best window, with an estimate for so many numbers. */
  Estimate best(int total) {
    return new Estimate(bits / Byte.SIZE * total, 0, reference, width);
  }

  /** Tries windows that begin at {@code from}. */
  void tryFrom(long from) {
    int lower = measure(from);
    int over = count - above[0] - lower;
    for (int w = 0; w <= widest && w < kindBits; w++) {
      if (w > 0) {
        over -= above[w];
      }
      consider(from, w, over + lower);
    }
  }

  /** Tries windows with {@code middle} in the middle. */
  void tryAround(long middle) {
    measure(middle);
    int outside = count - above[0];
    for (int w = 1; w <= widest + 1 && w < kindBits; w++) {
      if (w > 1) {
        outside -= above[w - 1] + below[w - 1];
      }
      consider(middle - (1L << (w - 1)), w, outside);
    }
  }

  private int measure(long from) {
    Arrays.fill(above, 0);
    Arrays.fill(below, 0);
    int lower = 0;
    for (int i = 0; i < count; i++) {
      long distance = numbers[i] - from;
      if (distance >= 0) {
        above[Bits.width(distance)]++;
      } else {
        below[Bits.width(-distance)]++;
        lower++;
      }
    }
    widest = kindBits;
    while (widest > 0 && above[widest] == 0 && below[widest] == 0) {
      widest--;
    }
    return lower;
  }

  private void consider(long from, int w, int exceptions) {
    double each = POSITION_BITS + Math.max(1, widest - w + 1);
    double total = w + exceptions * each / count;
    if (total < bits) {
      bits = total;
      reference = from;
      width = w;
    }
  }
}
