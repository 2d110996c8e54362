package io.drayage.columnar.decimal;

import io.drayage.columnar.kernel.Bits;

/**
 * Adds up the bits that the values of a sample take as decimals of one pair. A run is {@value
 * #RUN_VALUES} values that stood side by side: their integers are packed by the difference between
 * the least and the most.
 */
final class DecimalSample {
  static final int RUN_VALUES = 256;

  /** More exceptions than one value in so many, and decimals do not pay. */
  private static final int WORTHWHILE = 7;

  private final int exceptionBits;
  private long bits;
  private int exceptions;
  private int values;
  private long least;
  private long most;
  private int inRun;

  /**
   * @param exceptionBits what an exception takes
   */
  DecimalSample(int exceptionBits) {
    this.exceptionBits = exceptionBits;
    startRun();
  }

  private void startRun() {
    least = Long.MAX_VALUE;
    most = Long.MIN_VALUE;
    inRun = 0;
  }

  void addInteger(long integer) {
    least = Math.min(least, integer);
    most = Math.max(most, integer);
    inRun++;
  }

  void addException() {
    exceptions++;
    inRun++;
  }

  /** Ends a run of values that stood side by side. */
  void endRun() {
    if (least <= most) {
      bits += (long) Bits.width(most - least) * inRun;
    }
    values += inRun;
    startRun();
  }

  /** Whether there are few enough exceptions. */
  boolean isWorthwhile() {
    return exceptions * (long) WORTHWHILE <= values;
  }

  /** What all values take. */
  long totalBits() {
    return bits + (long) exceptions * exceptionBits;
  }
}
