package io.drayage.columnar.stream;

/**
 * The knowledge about a stream while its encoding is chosen: the ranges of some of its mini-blocks,
 * a sample of its values, and the estimates so far. Reused; not thread-safe.
 */
public final class Analysis {
  /** Minimum number of values that are worth a sample. */
  private static final int MIN_SAMPLED = 64;

  private final double nsPerByte;
  private final Ranges ranges = new Ranges();
  private final ValueSample sample = new ValueSample();
  private Values values = new ArrayValues(Kind.INT, new int[0], 0);
  private boolean isTaken;
  private double leastBytes;

  /**
   * @param nsPerByte cost of a byte after the encoding
   */
  public Analysis(double nsPerByte) {
    this.nsPerByte = nsPerByte;
  }

  /** Begins with another stream, of at least one value. */
  public void begin(Values newValues, boolean sampled) {
    values = newValues;
    isTaken = false;
    leastBytes = Double.MAX_VALUE;
    ranges.scan(values, sampled);
  }

  public Values values() {
    return values;
  }

  public int count() {
    return values.count();
  }

  /** The ranges of the stream's mini-blocks. */
  public Ranges ranges() {
    return ranges;
  }

  /** Whether there are enough values for a {@link #sample}. */
  public boolean isSampled() {
    return values.count() >= MIN_SAMPLED;
  }

  /** A sample of the stream's values. */
  public ValueSample sample() {
    if (!isTaken) {
      sample.take(values);
      isTaken = true;
    }
    return sample;
  }

  /** Notes an estimate without inner streams, for the minimum of {@link #bestBits}. */
  public void note(double bytes) {
    leastBytes = Math.min(leastBytes, bytes);
  }

  /** The least bits of a value so far: the expectation for inner entries and literals. */
  public double bestBits() {
    return leastBytes * Byte.SIZE / values.count();
  }

  /**
   * Returns an estimate of {@code bytes}, or of {@code codedBytes} if entropy coding of the inner
   * numbers is worth its time.
   */
  public Estimate coded(double bytes, double codedBytes, long parameter) {
    double codingNs = Costs.CODING_NS * values.count();
    return (bytes - codedBytes) * nsPerByte > codingNs
        ? new Estimate(codedBytes, codingNs, parameter, 0)
        : new Estimate(bytes, 0, parameter, 0);
  }
}
