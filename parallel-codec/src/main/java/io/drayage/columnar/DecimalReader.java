package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads floating-point values that were written as integers:
 *
 * <pre>
 *   pair i32 | exceptions i32 | stream of integers: longs for doubles, ints for floats
 *     | stream of ascending places, ints | stream of the bits of the exceptions, longs
 * </pre>
 *
 * The last two streams are missing if there are no exceptions; what a pair is says {@link
 * DecimalForm}. For one thread.
 */
final class DecimalReader {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private final StreamReader child;
  private final float[] floats = new float[Words.MINI];
  private final double[] doubles = new double[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private final int[] window = new int[Words.MINI];
  private int[] places = new int[0];
  private long[] bits = new long[0];
  private int[] ints = new int[0];
  private long[] longs = new long[0];

  DecimalReader(StreamReader child) {
    this.child = child;
  }

  /** Reads a payload; what follows the last stream is the caller's business. */
  List<EncodingTree> read(ByteBuffer source, int count, Room room) throws ShipmentException {
    Malformed.unlessThere("decimals", source, HEAD_BYTES);
    int pair = source.getInt();
    int exceptions = source.getInt();
    Kind kind = room.kind();
    boolean valid = kind.isWide() ? AlpDoubles.isValid(pair) : AlpFloats.isValid(pair);
    if (!valid || !kind.isFloating()) {
      throw Malformed.because("the pair 0x%08x is none of decimals of %s".formatted(pair, kind));
    }
    Malformed.unlessWithin("a number of exceptions", exceptions, 0, count);
    List<EncodingTree> trees = new ArrayList<>();
    trees.add(readIntegers(source, count, kind));
    if (exceptions > 0) {
      readExceptions(source, count, exceptions, trees);
    }
    int next = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      next =
          kind.isWide()
              ? wide(from, n, pair, next, exceptions, room)
              : narrow(from, n, pair, next, exceptions, room);
    }
    return trees;
  }

  private EncodingTree readIntegers(ByteBuffer source, int count, Kind kind)
      throws ShipmentException {
    if (kind.isWide()) {
      if (longs.length < count) {
        longs = new long[count];
      }
      return child.read(source, count, Room.of(Kind.LONG, longs));
    }
    if (ints.length < count) {
      ints = new int[count];
    }
    return child.read(source, count, Room.of(Kind.INT, ints));
  }

  private void readExceptions(
      ByteBuffer source, int count, int exceptions, List<EncodingTree> trees)
      throws ShipmentException {
    if (places.length < exceptions) {
      places = new int[exceptions];
      bits = new long[exceptions];
    }
    trees.add(child.read(source, exceptions, Room.of(Kind.INT, places)));
    int before = -1;
    for (int e = 0; e < exceptions; e++) {
      if (places[e] <= before || places[e] >= count) {
        throw Malformed.because(
            "exception %,d of %,d at place %,d, behind %,d and within %,d"
                .formatted(e, exceptions, places[e], before, count));
      }
      before = places[e];
    }
    trees.add(child.read(source, exceptions, Room.of(Kind.LONG, bits)));
  }

  private int wide(int from, int n, int pair, int nextException, int exceptions, Room room) {
    System.arraycopy(longs, from, wideWindow, 0, n);
    AlpDoubles.decode(wideWindow, n, pair, doubles);
    for (int i = 0; i < n; i++) {
      wideWindow[i] = Double.doubleToRawLongBits(doubles[i]);
    }
    int next = nextException;
    while (next < exceptions && places[next] < from + n) {
      wideWindow[places[next] - from] = bits[next];
      next++;
    }
    room.store(from, n, wideWindow);
    return next;
  }

  private int narrow(int from, int n, int pair, int nextException, int exceptions, Room room) {
    System.arraycopy(ints, from, window, 0, n);
    AlpFloats.decode(window, n, pair, floats);
    for (int i = 0; i < n; i++) {
      window[i] = Float.floatToRawIntBits(floats[i]);
    }
    int next = nextException;
    while (next < exceptions && places[next] < from + n) {
      window[places[next] - from] = (int) bits[next];
      next++;
    }
    room.store(from, n, window);
    return next;
  }
}
