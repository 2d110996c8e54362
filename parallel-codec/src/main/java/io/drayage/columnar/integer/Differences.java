package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Takes differences of an order from values, window by window, and makes values of them. Between
 * windows it keeps the last difference of each lower order; those before the first value are the
 * <em>starts</em>. Not thread-safe.
 */
final class Differences {
  /** The highest order that is read. */
  static final int MAX_ORDER = 7;

  private final Workspace workspace;
  private final long[] before = new long[MAX_ORDER];
  private int order;
  private long least;
  private long most;

  Differences(Workspace workspace) {
    this.workspace = workspace;
  }

  /** Begins with a stream whose differences are of an order; the starts are 0. */
  void begin(int newOrder) {
    order = newOrder;
    Arrays.fill(before, 0);
  }

  /** Takes differences from some values, all of whose window has to be there; how many. */
  int take(Values values, int from, int number, long[] to, int at) {
    long[] window = workspace.wideWindow;
    begin(order);
    values.loadLongs(from, number, window, 0, workspace.window);
    subtract(window, number, values.kind());
    System.arraycopy(window, order, to, at, number - order);
    return number - order;
  }

  /**
   * Finds the starts with which the first differences are ordinary ones.
   *
   * @param values more than the order
   */
  void extrapolate(Values values, long ordinary) {
    long[] window = workspace.wideWindow;
    values.loadLongs(0, order, window, 0, workspace.window);
    Arrays.fill(before, 0);
    subtract(window, order, values.kind());
    for (int back = 0; back < order; back++) {
      for (int o = 0; o < order; o++) {
        before[o] -= o + 1 < order ? before[o + 1] : ordinary;
      }
    }
  }

  /** Takes the differences of all values, and finds the least and the greatest. */
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

  /** The least of all that were taken. */
  long least() {
    return least;
  }

  /** The greatest of all that were taken. */
  long most() {
    return most;
  }

  /** Replaces values by their differences. */
  private void subtract(long[] window, int number, Kind kind) {
    for (int o = 0; o < order; o++) {
      long last = before[o];
      for (int i = 0; i < number; i++) {
        long value = window[i];
        window[i] = value - last;
        last = value;
      }
      before[o] = last;
    }
    if (order > 0 && !kind.isWide()) {
      for (int i = 0; i < number; i++) {
        window[i] = (int) window[i];
      }
    }
  }

  /** Makes values of differences. */
  void add(long[] window, int number) {
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
    for (int o = 0; o < order; o++) {
      target.putLong(before[o]);
    }
  }

  /** Begins with a stream whose starts are read. */
  void read(int newOrder, ByteBuffer source) throws ShipmentException {
    Malformed.unlessWithin("an order of differences", newOrder, 0, MAX_ORDER);
    Malformed.unlessThere("starts", source, (long) newOrder * Long.BYTES);
    begin(newOrder);
    for (int o = 0; o < order; o++) {
      before[o] = source.getLong();
    }
  }
}
