package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The common properties of a column's numbers, to find a type that changes none of them: whether 64
 * bits hold them as integers, whether a DOUBLE keeps each, whether 18 digits hold them.
 *
 * <p>A number has JSON's format: no leading zero, no plus, no blank. A fraction may become a DOUBLE
 * if the nearest DOUBLE, written with as many digits, is the same fraction. This is true for all
 * numbers that were DOUBLEs before. An integer must be exactly a DOUBLE. Not thread-safe.
 */
final class NumberFacts {
  /** The most digits that a DOUBLE may need. */
  private static final int MAX_DOUBLE_DIGITS = 17;

  private static final int MAX_DECIMAL_DIGITS = 18;

  /** Each number of so many digits survives as a DOUBLE, and each integer is exactly one. */
  private static final int EXACT_DIGITS = 15;

  /** Fractions of fewer places are in the range where DOUBLEs have all of their digits. */
  private static final int SAFE_PLACES = 300;

  /** The powers of ten that are exact DOUBLEs. */
  private static final double[] TENS = new double[23];

  /** Every smaller integer is a DOUBLE. */
  private static final double EXACT = 1L << 53;

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Double.parseDouble("1e" + i);
    }
  }

  private boolean allIntegers = true;
  private boolean allDecimals = true;
  private int mostWholeDigits;
  private int mostPlaces;

  /** The first value that is not a BIGINT, and below not a DOUBLE; null if all are. */
  private @Nullable String noLong;

  private long noLongLine;
  private @Nullable String noDouble;
  private long noDoubleLine;
  private boolean isBeyondRange;

  // Of the last number:
  private boolean isNegative;
  private int wholeDigits;
  private int places;
  private int significant;
  private boolean hasPoint;
  private boolean hasExponent;
  private boolean isZero;

  /**
   * Reads a text.
   *
   * @param exponents whether 1e3 is a number
   * @return whether it is a number
   */
  boolean read(Cell text, boolean exponents) {
    byte[] bytes = text.bytes;
    int to = text.to;
    int at = text.from;
    isNegative = at < to && bytes[at] == '-';
    at += isNegative ? 1 : 0;
    int start = at;
    while (at < to && isDigit(bytes[at])) {
      at++;
    }
    int digits = at - start;
    boolean isZeroWhole = digits > 0 && bytes[start] == '0';
    if (digits == 0 || (isZeroWhole && digits > 1)) {
      return false;
    }
    wholeDigits = isZeroWhole ? 0 : digits;
    hasPoint = at < to && bytes[at] == '.';
    int firstPlace = ++at;
    places = 0;
    int zerosBefore = 0;
    if (hasPoint) {
      while (at < to && isDigit(bytes[at])) {
        if (bytes[at] != '0') {
          zerosBefore = places == 0 ? at - firstPlace : zerosBefore;
          places = at + 1 - firstPlace;
        }
        at++;
      }
      if (at == firstPlace) {
        return false;
      }
    } else {
      at--;
    }
    isZero = wholeDigits == 0 && places == 0;
    significant = wholeDigits > 0 ? wholeDigits + places : places - zerosBefore;
    hasExponent = at < to && (bytes[at] == 'e' || bytes[at] == 'E');
    return hasExponent ? exponents && isExponent(bytes, at + 1, to) : at == to;
  }

  private static boolean isDigit(byte letter) {
    return letter >= '0' && letter <= '9';
  }

  private static boolean isExponent(byte[] bytes, int from, int to) {
    int at = from < to && (bytes[from] == '-' || bytes[from] == '+') ? from + 1 : from;
    for (int i = at; i < to; i++) {
      if (!isDigit(bytes[i])) {
        return false;
      }
    }
    return at < to;
  }

  /** Adds the number that was read. */
  void add(Cell text) {
    boolean isSignedZero = isZero && isNegative;
    if (hasPoint || hasExponent || isSignedZero) {
      allIntegers = false;
    }
    allDecimals &= !hasExponent && !isSignedZero;
    mostWholeDigits = Math.max(mostWholeDigits, wholeDigits);
    mostPlaces = Math.max(mostPlaces, places);
    boolean isInteger = !hasExponent && places == 0;
    if (isInteger && wholeDigits <= EXACT_DIGITS) {
      return;
    }
    if (isInteger) {
      addLargeInteger(text);
    } else if (noDouble == null && !isDouble(text)) {
      noDouble = text.shown();
      double value = Double.parseDouble(text.text());
      isBeyondRange = Double.isInfinite(value) || value == 0;
      noDoubleLine = text.line;
    }
  }

  private void addLargeInteger(Cell text) {
    if (noLong != null && noDouble != null) {
      return;
    }
    BigDecimal value = new BigDecimal(text.text());
    if (noLong == null && !fitsLong(value)) {
      noLong = text.shown();
      noLongLine = text.line;
    }
    double nearest = value.doubleValue();
    if (noDouble == null
        && (Double.isInfinite(nearest) || new BigDecimal(nearest).compareTo(value) != 0)) {
      noDouble = text.shown();
      isBeyondRange = Double.isInfinite(nearest);
      noDoubleLine = text.line;
    }
  }

  private static boolean fitsLong(BigDecimal value) {
    return value.toBigInteger().bitLength() < Long.SIZE;
  }

  private boolean isDouble(Cell text) {
    if (significant > MAX_DOUBLE_DIGITS) {
      return false;
    }
    if (significant <= EXACT_DIGITS && !hasExponent && places < SAFE_PLACES) {
      return true;
    }
    double value = Double.parseDouble(text.text());
    if (Double.isInfinite(value) || isZero) {
      return isZero;
    }
    if (!hasExponent && places < TENS.length) {
      return isAgain(Math.abs(value), text);
    }
    BigDecimal again =
        new BigDecimal(value).round(new MathContext(significant, RoundingMode.HALF_EVEN));
    return again.compareTo(new BigDecimal(text.text())) == 0;
  }

  /** Whether the DOUBLE, written with as many digits, has the digits of the text. */
  private boolean isAgain(double value, Cell text) {
    long digits = 0;
    int left = wholeDigits == 0 ? places + 1 : wholeDigits + places;
    for (int i = text.from; left > 0; i++) {
      if (isDigit(text.bytes[i])) {
        digits = 10 * digits + text.bytes[i] - '0';
        left--;
      }
    }
    // The product as a DOUBLE, and its rounding error.
    double product = value * TENS[places];
    double rest = Math.fma(value, TENS[places], -product);
    double off = (product < EXACT ? product - digits : (double) ((long) product - digits)) + rest;
    return Math.abs(off) < 0.5 || (Math.abs(off) == 0.5 && digits % 2 == 0);
  }

  /** Returns the type that keeps all of them; null if there is none. */
  @Nullable String type() {
    if (allIntegers) {
      return noLong == null ? "BIGINT" : null;
    }
    if (noDouble == null) {
      return "DOUBLE";
    }
    return allDecimals && mostWholeDigits + mostPlaces <= MAX_DECIMAL_DIGITS
        ? "DECIMAL(" + MAX_DECIMAL_DIGITS + "," + mostPlaces + ")"
        : null;
  }

  /** Whether all of them are integers. */
  boolean isOfIntegers() {
    return allIntegers;
  }

  /** Returns the line of the first number that no type holds. */
  long misfitLine() {
    return allIntegers ? noLongLine : noDoubleLine;
  }

  /** Returns the reason why no type holds it. */
  String misfit() {
    if (allIntegers) {
      return noLong + " has more than 64 bits";
    }
    return isBeyondRange
        ? noDouble + " is beyond the range of a DOUBLE"
        : format(
            "%s has more digits than a DOUBLE or a DECIMAL of %d keeps",
            noDouble, MAX_DECIMAL_DIGITS);
  }
}
