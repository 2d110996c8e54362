package io.drayage.bench.table;

import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The format of the numbers of a column, with the same digits in every table.
 *
 * @param unit shown beside the heading; may be empty
 * @param scale the factor from the plain value (seconds, bytes, a share of 1) to the unit
 * @param digits formats a value in the unit
 */
public record Format(String unit, double scale, DoubleFunction<String> digits) {
  /** Seconds, to the millisecond below 10 s. */
  public static final Format SECONDS =
      new Format(
          "s",
          1,
          value -> {
            double size = Math.abs(value);
            return printf(size < 10 ? "%.3f" : size < 100 ? "%.2f" : "%.1f", value);
          });

  /** Milliseconds, from seconds. */
  public static final Format MILLISECONDS =
      new Format("ms", 1e3, value -> printf(Math.abs(value) < 10 ? "%.1f" : "%.0f", value));

  /** Megabytes (10⁶ bytes), from bytes. */
  public static final Format MEGABYTES =
      new Format("MB", 1e-6, value -> printf(Math.abs(value) < 10 ? "%.1f" : "%.0f", value));

  /** Megabytes a second, from megabytes a second. */
  public static final Format MEGABYTES_PER_SECOND =
      new Format("MB/s", 1, value -> printf(Math.abs(value) < 10 ? "%.1f" : "%.0f", value));

  /** A part of a whole as a percentage, from a share of 1. */
  public static final Format PERCENT = new Format("%", 100, value -> printf("%.1f", value));

  /** A part of a whole as a whole percentage, from a share of 1. */
  public static final Format SHARE = new Format("%", 100, value -> printf("%.0f", value));

  public static final Format RATIO = of("", "%.2f");

  /** A whole number. */
  public static final Format COUNT = of("", "%,.0f");

  /** Three significant digits: {@code 0.214}, {@code 1.29}, {@code 12.9}, {@code 294}. */
  public static final Format DIGITS = new Format("", 1, Format::threeDigits);

  /** A format of {@link String#format} for values in this unit. */
  public static Format of(String unit, String pattern) {
    return new Format(unit, 1, value -> printf(pattern, value));
  }

  /** Shows the same digits for another unit. */
  public Format in(String otherUnit) {
    return new Format(otherUnit, scale, digits);
  }

  /** Formats a plain value, without its unit. */
  public String text(double plain) {
    return digits.apply(plain * scale);
  }

  /** The cell of a plain value; {@link TableCell#NONE} for null. */
  public TableCell cell(@Nullable Number plain) {
    return plain == null
        ? TableCell.NONE
        : TableCell.number(plain.doubleValue() * scale, text(plain.doubleValue()));
  }

  private static String threeDigits(double value) {
    double size = Math.abs(value);
    return printf(size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f", value);
  }

  private static String printf(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
