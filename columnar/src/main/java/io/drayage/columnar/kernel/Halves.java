package io.drayage.columnar.kernel;

/** Loops over 64-bit values and their halves, each packed by itself. Arithmetic wraps. */
public final class Halves {
  private static final long LOW = 0xFFFFFFFFL;

  private Halves() {}

  /** Writes the lower halves of the values' excess over a reference. */
  public static void low(long[] values, int count, long reference, int[] low) {
    for (int i = 0; i < count; i++) {
      low[i] = (int) (values[i] - reference);
    }
  }

  /** Writes the upper halves of the values' excess over a reference. */
  public static void high(long[] values, int count, long reference, int[] high) {
    for (int i = 0; i < count; i++) {
      high[i] = (int) ((values[i] - reference) >>> Integer.SIZE);
    }
  }

  /** Computes values from a reference and lower halves. */
  public static void widen(int[] low, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (low[i] & LOW);
    }
  }

  /** Computes values from a reference and both halves. */
  public static void widen(int[] low, int[] high, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (((long) high[i] << Integer.SIZE) | (low[i] & LOW));
    }
  }

  /** {@code values[i] = start + sum over j <= i of (low[j] + reference)}. */
  public static void prefixSums(int[] low, int count, long reference, long start, long[] values) {
    long sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      // Only the last of four sums waits for the sum before.
      long a = (low[i] & LOW) + reference;
      long b = a + (low[i + 1] & LOW) + reference;
      long c = b + (low[i + 2] & LOW) + reference;
      long d = c + (low[i + 3] & LOW) + reference;
      values[i] = sum + a;
      values[i + 1] = sum + b;
      values[i + 2] = sum + c;
      sum += d;
      values[i + 3] = sum;
    }
    for (int i = whole; i < count; i++) {
      sum += (low[i] & LOW) + reference;
      values[i] = sum;
    }
  }
}
