package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Replaces values by differences, and differences by values, window by window. The differences are
 * of an order, or relative to the value a distance before. Between windows it keeps the last
 * difference of each lower order, or the last values. The <em>starts</em> are the differences or
 * values before the first value. Not thread-safe.
 *
 * <p>A <em>form</em> is {@code order | (distance - 1) << 3}; a distance of more than 1 has order 1.
 */
final class Differences {
  /** The highest order that is read. */
  static final int MAX_ORDER = 7;

  /** The longest distance. */
  static final int MAX_DISTANCE = 16;

  private static final int DISTANCE_SHIFT = 3;

  /** Number of runs of values in which distances are compared. */
  private static final int PROBES = 4;

  private static final int PROBE = 128;

  /** A distance is used if it saves at least one of so many bits. */
  private static final int CLEARLY = 16;

  private final Workspace workspace;
  private final long[] before = new long[MAX_DISTANCE];
  private int order;
  private int distance;

  /** The index of the value that is the distance before the next one. */
  private int next;

  private final int[] bits = new int[MAX_DISTANCE + 1];
  private long least;
  private long most;

  Differences(Workspace workspace) {
    this.workspace = workspace;
  }

  /** Returns the form of differences relative to the value a distance before. */
  static int formOf(int distance) {
    return 1 | (distance - 1) << DISTANCE_SHIFT;
  }

  /** Returns the distance at which some values differ least; 1 if no other is clearly better. */
  int distance(Values values) {
    if (values.count() < PROBE) {
      return 1;
    }
    Arrays.fill(bits, 0);
    long[] window = workspace.wideWindow;
    for (int run = 0; run < PROBES; run++) {
      int from = (int) ((long) (values.count() - PROBE) * run / (PROBES - 1));
      values.loadLongs(from, PROBE, window, 0, workspace.window);
      for (int back = 1; back <= MAX_DISTANCE; back++) {
        int sum = 0;
        for (int i = MAX_DISTANCE; i < PROBE; i++) {
          long difference = window[i] - window[i - back];
          sum += Bits.width(difference ^ difference >> (Long.SIZE - 1));
        }
        bits[back] += sum;
      }
    }
    int best = 1;
    for (int back = 2; back <= MAX_DISTANCE; back++) {
      best = bits[back] < bits[best] ? back : best;
    }
    return bits[best] < bits[1] - bits[1] / CLEARLY ? best : 1;
  }

  /** Begins with a stream of a form; the starts are 0. */
  void begin(int form) {
    order = form & MAX_ORDER;
    distance = (form >>> DISTANCE_SHIFT) + 1;
    reset();
  }

  private void reset() {
    next = 0;
    Arrays.fill(before, 0);
  }

  /** Number of starts: so many values have differences that depend on them. */
  int starts() {
    return distance > 1 ? distance : order;
  }

  /** Takes the differences within values, more than there are starts; returns their number. */
  int take(Values values, int from, int number, long[] to, int at) {
    long[] window = workspace.wideWindow;
    int skipped = starts();
    reset();
    values.loadLongs(from, number, window, 0, workspace.window);
    subtract(window, number, values.kind());
    System.arraycopy(window, skipped, to, at, number - skipped);
    return number - skipped;
  }

  /**
   * Finds the starts that make the first differences ordinary ones.
   *
   * @param values more than there are starts
   */
  void extrapolate(Values values, long ordinary) {
    long[] window = workspace.wideWindow;
    int number = starts();
    values.loadLongs(0, number, window, 0, workspace.window);
    reset();
    if (distance > 1) {
      for (int i = 0; i < number; i++) {
        before[i] = window[i] - ordinary;
      }
      return;
    }
    subtract(window, order, values.kind());
    for (int back = 0; back < order; back++) {
      for (int o = 0; o < order; o++) {
        before[o] -= o + 1 < order ? before[o + 1] : ordinary;
      }
    }
  }

  /** Takes the differences of all values, and finds the minimum and the maximum. */
  void takeAll(Values values, long[] to) {
    long[] window = workspace.wideWindow;
    int count = values.count();
    least = Long.MAX_VALUE;
    most = Long.MIN_VALUE;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      values.loadLongs(from, some, window, 0, workspace.window);
      subtract(window, some, values.kind());
      for (int i = 0; i < some; i++) {
        least = Math.min(least, window[i]);
        most = Math.max(most, window[i]);
      }
      System.arraycopy(window, 0, to, from, some);
    }
  }

  /** The minimum of all taken differences. */
  long least() {
    return least;
  }

  /** The maximum of all taken differences. */
  long most() {
    return most;
  }

  /** Replaces values by their differences. */
  private void subtract(long[] window, int number, Kind kind) {
    if (distance > 1) {
      for (int i = 0; i < number; i++) {
        long value = window[i];
        window[i] = value - before[next];
        before[next] = value;
        next = next + 1 == distance ? 0 : next + 1;
      }
    } else {
      for (int o = 0; o < order; o++) {
        long last = before[o];
        for (int i = 0; i < number; i++) {
          long value = window[i];
          window[i] = value - last;
          last = value;
        }
        before[o] = last;
      }
    }
    if (order > 0 && !kind.isWide()) {
      for (int i = 0; i < number; i++) {
        window[i] = (int) window[i];
      }
    }
  }

  /** Replaces differences by their values. */
  void add(long[] window, int number) {
    if (distance > 1) {
      for (int i = 0; i < number; i++) {
        before[next] += window[i];
        window[i] = before[next];
        next = next + 1 == distance ? 0 : next + 1;
      }
      return;
    }
    for (int o = order - 1; o >= 0; o--) {
      long value = before[o];
      for (int i = 0; i < number; i++) {
        value += window[i];
        window[i] = value;
      }
      before[o] = value;
    }
  }

  /** Writes the starts. */
  void write(ByteBuffer target) {
    for (int i = 0; i < starts(); i++) {
      target.putLong(before[i]);
    }
  }

  /** Begins with a stream of a form, and reads its starts. */
  void read(int form, ByteBuffer source) throws ShipmentException {
    Malformed.unlessWithin("a form of differences", form, 0, formOf(MAX_DISTANCE));
    begin(form);
    if (distance > 1) {
      Malformed.unlessWithin("an order of differences at a distance", order, 1, 1);
    }
    Malformed.unlessThere("starts", source, (long) starts() * Long.BYTES);
    for (int i = 0; i < starts(); i++) {
      before[i] = source.getLong();
    }
  }
}
