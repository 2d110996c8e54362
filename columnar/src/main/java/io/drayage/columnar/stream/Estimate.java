package io.drayage.columnar.stream;

/**
 * The estimate of a stream in one encoding.
 *
 * @param bytes of the stream
 * @param moreNs cost of this stream beyond the line of {@link Costs}
 * @param parameter for encoding: see {@link Scheme}
 * @param width a second parameter
 */
public record Estimate(double bytes, double moreNs, long parameter, int width) {
  /** Bits of a packed distance above the logarithm of the mean, as some are much longer. */
  private static final double SPREAD_BITS = 1.7;

  /** Returns an estimate without parameters or further costs. */
  public static Estimate of(double bytes) {
    return new Estimate(bytes, 0, 0, 0);
  }

  /** Approximate bits of the distance between neighbouring places, of so many among the values. */
  public static double distanceBits(double values, double places) {
    return StrictMath.log(values / places) / StrictMath.log(2) + SPREAD_BITS;
  }
}
