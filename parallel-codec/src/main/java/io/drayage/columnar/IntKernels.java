package io.drayage.columnar;

/**
 * Loops over windows of 32-bit values, from index 0 on, so that what is loaded and what is stored
 * have the same index. Arithmetic wraps.
 */
final class IntKernels {
  private IntKernels() {}

  static int min(int[] values, int count) {
    int min = values[0];
    for (int i = 0; i < count; i++) {
      min = Math.min(min, values[i]);
    }
    return min;
  }

  static int max(int[] values, int count) {
    int max = values[0];
    for (int i = 0; i < count; i++) {
      max = Math.max(max, values[i]);
    }
    return max;
  }

  /** How many of the differences between neighbours, in {@code [1, count)}, are not 0. */
  static int changes(int[] differences, int count) {
    int changes = 0;
    for (int i = 1; i < count; i++) {
      changes += (differences[i] | -differences[i]) >>> 31;
    }
    return changes;
  }

  /** {@code to[i] = values[i] - values[i - 1]}, and {@code first} at 0. */
  static void differences(int[] values, int count, int first, int[] to) {
    for (int i = 1; i < count; i++) {
      to[i] = values[i] - values[i - 1];
    }
    to[0] = first;
  }

  static void subtract(int[] values, int count, int reference, int[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = values[i] - reference;
    }
  }

  static void add(int[] values, int count, int reference) {
    for (int i = 0; i < count; i++) {
      values[i] += reference;
    }
  }

  /** {@code values[i] = start + sum over j <= i of (values[j] + reference)}. */
  static void prefixSums(int[] values, int count, int reference, int start) {
    int sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      int a = sum + values[i] + reference;
      int b = a + values[i + 1] + reference;
      int c = b + values[i + 2] + reference;
      sum = c + values[i + 3] + reference;
      values[i] = a;
      values[i + 1] = b;
      values[i + 2] = c;
      values[i + 3] = sum;
    }
    for (int i = whole; i < count; i++) {
      sum += values[i] + reference;
      values[i] = sum;
    }
  }
}
