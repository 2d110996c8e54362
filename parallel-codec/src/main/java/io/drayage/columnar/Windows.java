package io.drayage.columnar;

import java.util.Arrays;

/** Copies between pages of every fixed width and windows of 32 or 64 bits. */
final class Windows {
  private Windows() {}

  static void load(Object page, int from, int count, int[] window, int to) {
    if (page instanceof int[] values) {
      System.arraycopy(values, from, window, to, count);
    } else if (page instanceof short[] values) {
      for (int i = 0; i < count; i++) {
        window[to + i] = values[from + i];
      }
    } else if (page instanceof byte[] values) {
      for (int i = 0; i < count; i++) {
        window[to + i] = values[from + i];
      }
    } else if (page instanceof float[] values) {
      for (int i = 0; i < count; i++) {
        window[to + i] = Float.floatToRawIntBits(values[from + i]);
      }
    } else {
      boolean[] values = (boolean[]) page;
      for (int i = 0; i < count; i++) {
        window[to + i] = values[from + i] ? 1 : 0;
      }
    }
  }

  static void load(Object page, int from, int count, long[] window, int to) {
    if (page instanceof long[] values) {
      System.arraycopy(values, from, window, to, count);
    } else {
      double[] values = (double[]) page;
      for (int i = 0; i < count; i++) {
        window[to + i] = Double.doubleToRawLongBits(values[from + i]);
      }
    }
  }

  static void store(int[] window, int from, int count, Object page, int to) {
    if (page instanceof int[] values) {
      System.arraycopy(window, from, values, to, count);
    } else if (page instanceof short[] values) {
      for (int i = 0; i < count; i++) {
        values[to + i] = (short) window[from + i];
      }
    } else if (page instanceof byte[] values) {
      for (int i = 0; i < count; i++) {
        values[to + i] = (byte) window[from + i];
      }
    } else if (page instanceof float[] values) {
      for (int i = 0; i < count; i++) {
        values[to + i] = Float.intBitsToFloat(window[from + i]);
      }
    } else {
      boolean[] values = (boolean[]) page;
      for (int i = 0; i < count; i++) {
        values[to + i] = (window[from + i] & 1) != 0;
      }
    }
  }

  static void store(long[] window, int from, int count, Object page, int to) {
    if (page instanceof long[] values) {
      System.arraycopy(window, from, values, to, count);
    } else {
      double[] values = (double[]) page;
      for (int i = 0; i < count; i++) {
        values[to + i] = Double.longBitsToDouble(window[from + i]);
      }
    }
  }

  /** The bits of one value. */
  static long at(Object page, int index) {
    if (page instanceof long[] values) {
      return values[index];
    } else if (page instanceof double[] values) {
      return Double.doubleToRawLongBits(values[index]);
    } else if (page instanceof int[] values) {
      return values[index];
    } else if (page instanceof short[] values) {
      return values[index];
    } else if (page instanceof byte[] values) {
      return values[index];
    } else if (page instanceof float[] values) {
      return Float.floatToRawIntBits(values[index]);
    }
    return ((boolean[]) page)[index] ? 1 : 0;
  }

  /** The first of {@code count} places where two pages of a type differ; negative if none. */
  static int mismatch(Object page, int from, Object other, int at, int count) {
    int end = from + count;
    if (page instanceof long[] values) {
      return Arrays.mismatch(values, from, end, (long[]) other, at, at + count);
    } else if (page instanceof double[] values) {
      return Arrays.mismatch(values, from, end, (double[]) other, at, at + count);
    } else if (page instanceof int[] values) {
      return Arrays.mismatch(values, from, end, (int[]) other, at, at + count);
    } else if (page instanceof short[] values) {
      return Arrays.mismatch(values, from, end, (short[]) other, at, at + count);
    } else if (page instanceof byte[] values) {
      return Arrays.mismatch(values, from, end, (byte[]) other, at, at + count);
    } else if (page instanceof float[] values) {
      return Arrays.mismatch(values, from, end, (float[]) other, at, at + count);
    }
    boolean[] values = (boolean[]) page;
    return Arrays.mismatch(values, from, end, (boolean[]) other, at, at + count);
  }
}
