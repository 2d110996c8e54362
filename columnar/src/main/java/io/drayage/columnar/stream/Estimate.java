package io.drayage.columnar.stream;

/**
 * What a stream would take in one encoding.
 *
 * @param bytes of the stream
 * @param moreNs what it costs beyond the line of {@link Costs}, for this stream
 * @param parameter what to encode with: see {@link Scheme}
 * @param width a second parameter
 */
public record Estimate(double bytes, double moreNs, long parameter, int width) {
  /** About what the distance to the next of so many places takes beyond the bits of the mean. */
  private static final double SPREAD_BITS = 1.7;

  /** Without parameters or further costs. */
  public static Estimate of(double bytes) {
    return new Estimate(bytes, 0, 0, 0);
  }

  /** About what the distance between two of so many places takes, in bits. */
  public static double distanceBits(double values, double places) {
    return StrictMath.log(values / places) / StrictMath.log(2) + SPREAD_BITS;
  }
}
