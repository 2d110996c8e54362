package io.drayage.columnar.decimal;

import io.drayage.columnar.kernel.Bits;

/**
 * Adds up the bits of a sample's values as decimals of one pair. A run has {@value #RUN_VALUES}
 * neighbouring values. Their integers are packed by the difference between minimum and maximum.
 */
final class DecimalSample {
  static final int RUN_VALUES = 256;

  /** Decimals do not pay if more than one of so many values is an exception. */
  private static final int WORTHWHILE = 7;

  private final int exceptionBits;
  private long bits;
  private int exceptions;
  private int values;
  private long least;
  private long most;
  private int inRun;

  /**
   * @param exceptionBits bits of an exception
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

  /** Ends a run of neighbouring values. */
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

  /** The bits of all values. */
  long totalBits() {
    return bits + (long) exceptions * exceptionBits;
  }
}
