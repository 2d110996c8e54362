package io.drayage.columnar;

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
}
