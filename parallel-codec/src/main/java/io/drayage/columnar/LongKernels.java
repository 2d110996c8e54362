package io.drayage.columnar;

/** As {@link IntKernels}, for 64-bit values, which are packed as two halves. */
final class LongKernels {
  private static final long LOW = 0xFFFFFFFFL;

  private LongKernels() {}

  /** {@code to[i]} is 1 if a value differs from the one before, else 0. */
  static void changes(long[] values, int count, long before, int[] to) {
    for (int i = 1; i < count; i++) {
      long difference = values[i] ^ values[i - 1];
      to[i] = (int) ((difference | -difference) >>> 63);
    }
    to[0] = values[0] != before ? 1 : 0;
  }

  /** {@code to[i] = values[i] - values[i - 1]}, and {@code first} at 0. */
  static void differences(long[] values, int count, long first, long[] to) {
    for (int i = 1; i < count; i++) {
      to[i] = values[i] - values[i - 1];
    }
    to[0] = first;
  }

  static void lowHalves(long[] values, int count, long reference, int[] low) {
    for (int i = 0; i < count; i++) {
      low[i] = (int) (values[i] - reference);
    }
  }

  static void highHalves(long[] values, int count, long reference, int[] high) {
    for (int i = 0; i < count; i++) {
      high[i] = (int) ((values[i] - reference) >>> 32);
    }
  }

  static void subtract(long[] values, int count, long reference, long[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = values[i] - reference;
    }
  }

  static void widen(int[] low, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (low[i] & LOW);
    }
  }

  static void widen(int[] low, int[] high, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (((long) high[i] << 32) | (low[i] & LOW));
    }
  }

  /** {@code values[i] = start + sum over j <= i of (low[j] + reference)}. */
  static void prefixSums(int[] low, int count, long reference, long start, long[] values) {
    long sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      long a = sum + (low[i] & LOW) + reference;
      long b = a + (low[i + 1] & LOW) + reference;
      long c = b + (low[i + 2] & LOW) + reference;
      sum = c + (low[i + 3] & LOW) + reference;
      values[i] = a;
      values[i + 1] = b;
      values[i + 2] = c;
      values[i + 3] = sum;
    }
    for (int i = whole; i < count; i++) {
      sum += (low[i] & LOW) + reference;
      values[i] = sum;
    }
  }

  /** {@code values[i] = start + sum over j <= i of values[j]}. */
  static void prefixSums(long[] values, int count, long start) {
    long sum = start;
    for (int i = 0; i < count; i++) {
      sum += values[i];
      values[i] = sum;
    }
  }
}
