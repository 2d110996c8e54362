package io.drayage.columnar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sample told about a stream and, once they were written, about the streams within: it may
 * be taken from one segment of a column for all others, so that they need no samples. What one pass
 * tells exactly is looked up in every segment. For one thread.
 */
final class Facts {
  private static final int MAX_CHILDREN = 5;
  private static final int ORDERS = 2;

  /** What may cost this much more than the best choice may be the best one elsewhere. */
  private static final double CLOSE = 1.3;

  private static final int MIN_LONG_RUN = 24;
  private static final double SURPRISE = 1.4;
  private static final int SURPRISE_BYTES = 512;

  private final @Nullable Facts[] children = new Facts[MAX_CHILDREN];
  private final @Nullable Patching[] patchings = new Patching[ORDERS];
  private final double[] patchedBits = new double[ORDERS];
  private double distinctShare;
  private int pair;
  private double decimalBits;
  private boolean known;
  private boolean frozen;
  private int sought = Statistics.ALL;
  private @Nullable Choice settled;
  private boolean hasLongRuns;
  private int distance;
  private double exceptionShare;
  private double expectedBytes;

  /** Whether a sample was taken. */
  boolean isKnown() {
    return known;
  }

  /** Whether nothing was learned in time: what is learned now is no other stream's business. */
  boolean isClosed() {
    return frozen && !known && settled == null;
  }

  /**
   * Takes note of what was worth a try, so that other streams are scanned for that only.
   *
   * @param choices best first
   * @param runs of equal values; as many as {@code count} if nobody knows
   */
  void note(List<Choice> choices, int count, int runs) {
    if (frozen) {
      return;
    }
    Choice best = choices.get(0);
    settled = best.encoding().needsNoScan() ? best : null;
    hasLongRuns = runs <= count / MIN_LONG_RUN;
    sought = best.encoding() == Encoding.RAW ? Statistics.ALL : 0;
    for (Choice choice : choices) {
      boolean close = choice.ns() <= CLOSE * best.ns();
      sought |= close ? choice.encoding().statistics() : 0;
    }
    expectedBytes = best.bytes() / count;
  }

  /** Takes note of how long a stream has become. */
  void noteWritten(int bytes, int count) {
    if (!frozen) {
      expectedBytes = Math.max(expectedBytes, (double) bytes / count);
    }
  }

  /** What is to be tried without a scan; null if nothing is. */
  @Nullable Choice settled() {
    return frozen ? settled : null;
  }

  /** Whether runs of equal values were long. */
  boolean hasLongRuns() {
    return hasLongRuns;
  }

  /** What streams are to be scanned for. */
  int sought() {
    return frozen ? sought : Statistics.ALL;
  }

  /** Whether a stream of so many bytes is much longer than what was noted. */
  boolean isSurprising(double bytes, int count) {
    return frozen && bytes > SURPRISE * expectedBytes * count + SURPRISE_BYTES;
  }

  /** From now on, only what is known counts. */
  void freeze() {
    frozen = true;
    for (Facts child : children) {
      if (child != null) {
        child.freeze();
      }
    }
  }

  /** Those of a stream within; null if there are none and can be none any more. */
  @Nullable Facts child(int index) {
    if (children[index] == null && !frozen) {
      children[index] = new Facts();
    }
    return children[index];
  }

  /** Takes everything that a sample tells. */
  void learn(Sample sample, Sample integers, Repeats repeats, Values values, boolean isLeaf) {
    int bits = values.kind().bits();
    for (int order = 0; order < ORDERS; order++) {
      patchings[order] = sample.patching(order, bits);
      patchedBits[order] = patchings[order] == null ? bits : sample.patchedBits();
    }
    if (!isLeaf) {
      distinctShare = (double) sample.distinct() / values.count();
      repeats.find(values);
      distance = repeats.distance();
      exceptionShare = repeats.exceptionShare();
      pair = values.kind().isFloating() ? integers.takeDecimals(sample) : Choice.NO_PAIR;
      decimalBits = pair == Choice.NO_PAIR ? bits : decimalBits(integers, bits);
    }
    known = true;
  }

  private static double decimalBits(Sample integers, int kindBits) {
    double bits = Math.min(integers.plainBits(0), integers.plainBits(1));
    for (int order = 0; order < 2; order++) {
      if (integers.patching(order, kindBits) != null) {
        bits = Math.min(bits, integers.patchedBits());
      }
    }
    return bits + (double) integers.exceptions() * (kindBits + 8) / integers.count();
  }

  /** The window that differences of an order are best patched with, if there is one. */
  @Nullable Patching patching(int order) {
    return patchings[order];
  }

  /** What a value takes with it. */
  double patchedBits(int order) {
    return patchedBits[order];
  }

  /** How many different values {@code count} may have. */
  long distinct(int count) {
    return Math.max(1, (long) (distinctShare * count));
  }

  /** The distance at which values repeat; 0 if they do not. */
  int distance() {
    return distance;
  }

  /** How many of them do not. */
  double exceptionShare() {
    return exceptionShare;
  }

  /** The pair that makes integers of decimals; {@link Choice#NO_PAIR} if they are none. */
  int pair() {
    return pair;
  }

  /** What a decimal takes, its share of exceptions included. */
  double decimalBits() {
    return decimalBits;
  }
}
