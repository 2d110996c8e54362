package io.drayage.bench.report;

import io.drayage.bench.table.Cell;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as people read them. */
final class Shown {
  private static final double MILLI = 1e-3;

  private Shown() {}

  /** Three digits: {@code 0.214}, {@code 1.29}, {@code 12.9}, {@code 294}. */
  static String digits(double value) {
    double size = Math.abs(value);
    String format = size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }

  static String seconds(double value) {
    return Math.abs(value) < 0.0995 ? digits(value / MILLI) + " ms" : digits(value) + " s";
  }

  /** {@code 6.0×}. */
  static String times(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f×" : "%.1f×", value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  static String megabytes(double bytes) {
    double value = bytes / 1e6;
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.1f" : "%,.0f", value);
  }

  static Cell secondsCell(@Nullable Double value) {
    return value == null ? Cell.NONE : Cell.number(value, digits(value));
  }

  static Cell millisecondsCell(@Nullable Double value) {
    return value == null
        ? Cell.NONE
        : Cell.number(value / MILLI, String.format(Locale.ROOT, "%,.1f", value / MILLI));
  }

  static Cell megabytesCell(@Nullable Long bytes) {
    return bytes == null ? Cell.NONE : Cell.number(bytes / 1e6, megabytes(bytes));
  }

  static Cell timesCell(@Nullable Double value) {
    return value == null
        ? Cell.NONE
        : Cell.number(value, String.format(Locale.ROOT, "%.2f", value));
  }

  static Cell digitsCell(@Nullable Double value) {
    return value == null ? Cell.NONE : Cell.number(value, digits(value));
  }

  /** With a bar. */
  static Cell shareCell(@Nullable Double share) {
    return share == null
        ? Cell.NONE
        : Cell.number(100 * share, String.format(Locale.ROOT, "%.0f", 100 * share)).bar(share);
  }
}
