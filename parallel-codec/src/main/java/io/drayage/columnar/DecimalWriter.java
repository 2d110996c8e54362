package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Writes floating-point values as integers and exceptions. For one thread. */
final class DecimalWriter {
  private static final int MIN_ROOM = 1024;

  /** Those of the integers are what matters. The number is none of {@link NestedWriter}'s. */
  private static final int INTEGERS = 4;

  private final StreamWriter child;
  private final int[] window = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private final float[] floats = new float[Words.MINI];
  private final double[] doubles = new double[Words.MINI];
  private final int[] exceptionAt = new int[Words.MINI];
  private final int[] intWindow = new int[Words.MINI];
  private final long[] longWindow = new long[Words.MINI];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private int exceptions;
  private int[] places = new int[16];
  private long[] bits = new long[16];

  DecimalWriter(StreamWriter child) {
    this.child = child;
  }

  /** Writes a payload: see {@link DecimalReader}. */
  List<EncodingTree> write(Values values, int pair, Facts facts, ByteBuffer target) {
    int count = values.count();
    exceptions = 0;
    Values integers;
    if (values.kind().isWide()) {
      takeDoubles(values, pair);
      integers = Values.of(Kind.LONG, longs, count);
    } else {
      takeFloats(values, pair);
      integers = Values.of(Kind.INT, ints, count);
    }
    target.putInt(pair).putInt(exceptions);
    EncodingTree integersTree =
        child.write(integers, facts.child(INTEGERS), target, Integer.MAX_VALUE);
    if (exceptions == 0) {
      return List.of(integersTree);
    }
    return List.of(
        integersTree,
        child.write(Values.of(Kind.INT, places, exceptions), target),
        child.write(Values.of(Kind.LONG, bits, exceptions), target));
  }

  private void takeDoubles(Values values, int pair) {
    int count = values.count();
    if (longs.length < count) {
      longs = new long[Math.max(MIN_ROOM, count)];
    }
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, wideWindow);
      for (int i = 0; i < n; i++) {
        doubles[i] = Double.longBitsToDouble(wideWindow[i]);
      }
      int found = AlpDoubles.encode(doubles, n, pair, longWindow, exceptionAt);
      System.arraycopy(longWindow, 0, longs, from, n);
      for (int e = 0; e < found; e++) {
        addException(from + exceptionAt[e], wideWindow[exceptionAt[e]]);
      }
    }
  }

  private void takeFloats(Values values, int pair) {
    int count = values.count();
    if (ints.length < count) {
      ints = new int[Math.max(MIN_ROOM, count)];
    }
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      for (int i = 0; i < n; i++) {
        floats[i] = Float.intBitsToFloat(window[i]);
      }
      int found = AlpFloats.encode(floats, n, pair, intWindow, exceptionAt);
      System.arraycopy(intWindow, 0, ints, from, n);
      for (int e = 0; e < found; e++) {
        addException(from + exceptionAt[e], window[exceptionAt[e]]);
      }
    }
  }

  private void addException(int place, long valueBits) {
    if (exceptions == places.length) {
      places = Arrays.copyOf(places, 2 * exceptions);
      bits = Arrays.copyOf(bits, 2 * exceptions);
    }
    places[exceptions] = place;
    bits[exceptions++] = valueBits;
  }
}
