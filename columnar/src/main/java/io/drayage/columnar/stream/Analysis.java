package io.drayage.columnar.stream;

/**
 * What is known of a stream while its encoding is chosen: the ranges of some of its mini-blocks, a
 * sample of its values, and what it takes in the encodings that were estimated so far. Reused; not
 * thread-safe.
 */
public final class Analysis {
  /** Fewer values are not worth a sample. */
  private static final int MIN_SAMPLED = 64;

  private final double nsPerByte;
  private final Ranges ranges = new Ranges();
  private final ValueSample sample = new ValueSample();
  private Values values = new ArrayValues(Kind.INT, new int[0], 0);
  private boolean isTaken;
  private double leastBytes;

  /**
   * @param nsPerByte what a byte costs behind the encoding
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

  /** The ranges of its mini-blocks. */
  public Ranges ranges() {
    return ranges;
  }

  /** Whether there are enough values for a {@link #sample}. */
  public boolean isSampled() {
    return values.count() >= MIN_SAMPLED;
  }

  /** Some of its values. */
  public ValueSample sample() {
    if (!isTaken) {
      sample.take(values);
      isTaken = true;
    }
    return sample;
  }

  /** Notes an estimate without streams within: {@link #bestBits} is the least of them. */
  public void note(double bytes) {
    leastBytes = Math.min(leastBytes, bytes);
  }

  /** The least bits of a value so far: what entries and literals of others are expected to take. */
  public double bestBits() {
    return leastBytes * Byte.SIZE / values.count();
  }

  /**
   * An estimate of so many bytes, or of fewer if the numbers within are entropy-coded, where that
   * is worth the time.
   */
  public Estimate coded(double bytes, double codedBytes, long parameter) {
    double codingNs = Costs.CODING_NS * values.count();
    return (bytes - codedBytes) * nsPerByte > codingNs
        ? new Estimate(codedBytes, codingNs, parameter, 0)
        : new Estimate(bytes, 0, parameter, 0);
  }
}
