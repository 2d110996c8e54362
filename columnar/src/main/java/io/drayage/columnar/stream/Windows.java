package io.drayage.columnar.stream;

import java.util.Arrays;

/**
 * Copies between pages of every fixed width and windows: {@code long[]} for 64 bits, {@code int[]}
 * for fewer. Values may also be stored from arrays of their own type, booleans from bytes.
 */
public final class Windows {
  private Windows() {}

  public static void load(Object page, int from, int count, Object window, int to) {
    if (page instanceof int[] values) {
      System.arraycopy(values, from, (int[]) window, to, count);
    } else if (page instanceof long[] values) {
      System.arraycopy(values, from, (long[]) window, to, count);
    } else if (page instanceof double[] values) {
      long[] longs = (long[]) window;
      for (int i = 0; i < count; i++) {
        longs[to + i] = Double.doubleToRawLongBits(values[from + i]);
      }
    } else {
      loadNarrow(page, from, count, (int[]) window, to);
    }
  }

  private static void loadNarrow(Object page, int from, int count, int[] window, int to) {
    if (page instanceof short[] values) {
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

  public static void store(Object window, int from, int count, Object page, int to) {
    if (window.getClass() == page.getClass()) {
      System.arraycopy(window, from, page, to, count);
    } else if (page instanceof long[] values) {
      double[] doubles = (double[]) window;
      for (int i = 0; i < count; i++) {
        values[to + i] = Double.doubleToRawLongBits(doubles[from + i]);
      }
    } else if (page instanceof int[] values) {
      float[] floats = (float[]) window;
      for (int i = 0; i < count; i++) {
        values[to + i] = Float.floatToRawIntBits(floats[from + i]);
      }
    } else if (page instanceof double[] values) {
      long[] longs = (long[]) window;
      for (int i = 0; i < count; i++) {
        values[to + i] = Double.longBitsToDouble(longs[from + i]);
      }
    } else if (window instanceof byte[] bytes) {
      boolean[] values = (boolean[]) page;
      for (int i = 0; i < count; i++) {
        values[to + i] = (bytes[from + i] & 1) != 0;
      }
    } else {
      storeNarrow((int[]) window, from, count, page, to);
    }
  }

  private static void storeNarrow(int[] window, int from, int count, Object page, int to) {
    if (page instanceof short[] values) {
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

  /** Returns the bits of one value. */
  public static long at(Object page, int index) {
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

  /** Returns the first of {@code count} places where two pages differ; negative if none. */
  public static int mismatch(Object page, int from, Object other, int at, int count) {
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
