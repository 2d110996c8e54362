package io.drayage.duckdb.file;

import io.drayage.internal.Counted;

/** A date, a time or both, read from a text. Not thread-safe. */
final class Moment {
  private static final long SECONDS_OF_DAY = 86_400;
  private static final long NANOS_OF_SECOND = 1_000_000_000;

  /** The parts of the value. */
  enum Shape {
    DATE,
    TIME,
    DATE_AND_TIME,
    WITH_OFFSET
  }

  Shape shape = Shape.DATE;
  long epochDay;
  long nanoOfDay;
  int offsetSeconds;

  /** Digits of the fraction of the second, without zeros at its end. */
  int fractionDigits;

  void clear() {
    shape = Shape.DATE;
    epochDay = 0;
    nanoOfDay = 0;
    offsetSeconds = 0;
    fractionDigits = 0;
  }

  /** Returns the whole seconds since 1970 in UTC. */
  long seconds() {
    return epochDay * SECONDS_OF_DAY + Math.floorDiv(nanoOfDay, NANOS_OF_SECOND) - offsetSeconds;
  }

  /**
   * Returns the time since 1970 in UTC.
   *
   * @param digits of the fraction of a second: 0, 3, 6 or 9
   * @throws ArithmeticException if it has more, or does not fit into 64 bits
   */
  long since1970(int digits) {
    if (fractionDigits > digits) {
      throw new ArithmeticException(
          "it has %s of a second, and the type holds %s"
              .formatted(Counted.of(fractionDigits, "digit"), digits));
    }
    long unit = 1;
    for (int i = 0; i < digits; i++) {
      unit *= 10;
    }
    long fraction = nanoOfDay % NANOS_OF_SECOND / (NANOS_OF_SECOND / unit);
    return Math.addExact(Math.multiplyExact(seconds(), unit), fraction);
  }

  /** Whether another one has the same date and time. */
  boolean isSame(Moment other) {
    return shape == other.shape
        && epochDay == other.epochDay
        && nanoOfDay == other.nanoOfDay
        && offsetSeconds == other.offsetSeconds;
  }

  /** Whether nanoseconds in 64 bits can express it. */
  boolean fitsNanos() {
    try {
      since1970(9);
      return true;
    } catch (ArithmeticException e) {
      return false;
    }
  }
}
