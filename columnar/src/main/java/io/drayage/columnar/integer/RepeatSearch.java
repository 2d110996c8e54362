package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Values;

/**
 * Checks whether the values of a stream repeat at a distance: whether most values equal the value
 * some fixed number of places before them. Not thread-safe.
 */
final class RepeatSearch {
  /** Maximum distance that is searched. */
  private static final int MAX_DISTANCE = 1 << 14;

  /** Number of values at a candidate that equal the values the distance before. */
  private static final int KEY = 8;

  /** Maximum search for a change of value, at which the key begins. */
  private static final int MAX_CONSTANT = 4_096;

  private static final int MAX_CANDIDATES = 8;
  private static final int RUNS = 8;
  private static final int RUNS_TO_CONFIRM = 30;
  private static final int RUN_VALUES = 128;
  private static final double MAX_EXCEPTIONS = 0.2;

  private final long[] key = new long[KEY];
  private final int[] narrow = new int[MiniBlock.VALUES];
  private final long[] window = new long[MiniBlock.VALUES];
  private final long[] before = new long[MiniBlock.VALUES];
  private int distance;
  private double exceptionShare;
  private double leastLiterals;

  /** Searches for {@link #distance} and {@link #exceptionShare}. */
  void find(Values values) {
    distance = 0;
    exceptionShare = 1;
    leastLiterals = Double.MAX_VALUE;
    int count = values.count();
    int anchor = values.isPlain() ? anchor(values, count / 3) : -1;
    if (anchor < 0) {
      return;
    }
    for (int k = 0; k < KEY; k++) {
      key[k] = values.at(anchor + k);
    }
    int candidates = 0;
    int last = Math.min(count - KEY, anchor + MAX_DISTANCE);
    for (int from = anchor + 2; from <= last; from += MiniBlock.VALUES) {
      int number = Math.min(MiniBlock.VALUES, last - from + 1);
      values.loadLongs(from, number, window, 0, narrow);
      for (int i = next(0, number); i < number; i = next(i + 1, number)) {
        if (isKeyAt(values, from + i)) {
          consider(values, from + i - anchor);
          if (exceptionShare == 0 || ++candidates == MAX_CANDIDATES) {
            confirm(values);
            return;
          }
          // The window was overwritten.
          values.loadLongs(from, number, window, 0, narrow);
        }
      }
    }
    confirm(values);
  }

  /** Returns the next possible start of the key in the window; {@code number} if there is none. */
  private int next(int from, int number) {
    long first = key[0];
    long[] in = window;
    int at = from;
    while (at < number && in[at] != first) {
      at++;
    }
    return at;
  }

  /** Measures the best candidate again on other runs, as the best of several looks too good. */
  private void confirm(Values values) {
    if (distance > 0) {
      exceptionShare = share(values, distance, RUNS_TO_CONFIRM);
      distance = exceptionShare < MAX_EXCEPTIONS ? distance : 0;
    }
  }

  /** Returns the place before a value that differs from its neighbour; -1 if there is none. */
  private static int anchor(Values values, int from) {
    int end = Math.min(values.count() - KEY - 2, from + MAX_CONSTANT);
    for (int at = from; at < end; at++) {
      if (values.at(at) != values.at(at + 1)) {
        return at;
      }
    }
    return -1;
  }

  private boolean isKeyAt(Values values, int at) {
    for (int k = 1; k < KEY; k++) {
      if (values.at(at + k) != key[k]) {
        return false;
      }
    }
    return true;
  }

  /** Measures a candidate. The best one leaves the fewest literals: first values and exceptions. */
  private void consider(Values values, int candidate) {
    double share = share(values, candidate, RUNS);
    double literals = candidate + share * values.count();
    if (share < MAX_EXCEPTIONS && literals < leastLiterals) {
      leastLiterals = literals;
      exceptionShare = share;
      distance = candidate;
    }
  }

  /** Returns the share of exceptions in some runs, or just some share above the maximum. */
  private double share(Values values, int candidate, int runs) {
    int count = values.count();
    int number = Math.min(RUN_VALUES, count - candidate);
    int exceptions = 0;
    for (int run = 0; run < runs && exceptions <= MAX_EXCEPTIONS * runs * number; run++) {
      int from = candidate + (int) ((long) run * (count - number - candidate) / (runs - 1));
      values.loadLongs(from, number, window, 0, narrow);
      values.loadLongs(from - candidate, number, before, 0, narrow);
      for (int i = 0; i < number; i++) {
        exceptions += window[i] != before[i] ? 1 : 0;
      }
    }
    return (double) exceptions / (runs * number);
  }

  /** The distance at which most values repeat; 0 if there is none. */
  int distance() {
    return distance;
  }

  /** The estimated share of values that are exceptions. */
  double exceptionShare() {
    return exceptionShare;
  }
}
