package io.drayage.bench.page;

/**
 * An axis of values.
 *
 * @param title the measured quantity
 * @param unit of the values
 * @param log whether it is logarithmic; then every value must be above zero
 */
public record Axis(String title, Unit unit, boolean log) {
  /** The unit of the values, which decides their format. */
  public enum Unit {
    /** Seconds: 0.214 is shown as 0.214 s, 0.012 as 12 ms. */
    SECONDS,
    /** Decimal: kB, MB, GB. */
    BYTES,
    /** Decimal: kB/s, MB/s, GB/s. */
    BYTES_PER_SECOND,
    /** 41.2 is shown as 41.2 %. */
    PERCENT,
    /** 4.3 is shown as 4.3×. */
    RATIO,
    COUNT
  }

  /** Makes an axis from zero. */
  public static Axis of(String title, Unit unit) {
    return new Axis(title, unit, false);
  }

  /** Makes a logarithmic axis. */
  public static Axis logarithmic(String title, Unit unit) {
    return new Axis(title, unit, true);
  }
}
