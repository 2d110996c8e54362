package io.drayage.columnar;

/**
 * What the encodings of columns are chosen for. Only the sender has options: whatever was chosen,
 * any receiver reads it.
 *
 * @param bytesPerSecond a codec thread's share of the link
 * @param hasTail whether a general compressor follows
 */
public record ColumnarOptions(long bytesPerSecond, boolean hasTail) {
  /** {@link ColumnarMode#BALANCED}, without a tail. */
  public static final ColumnarOptions DEFAULT = of(ColumnarMode.BALANCED);

  /**
   * @throws IllegalArgumentException if the rate is not positive
   */
  public ColumnarOptions {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "a link of %,d bytes a second carries nothing".formatted(bytesPerSecond));
    }
  }

  /** Those of a mode, without a tail. */
  public static ColumnarOptions of(ColumnarMode mode) {
    return new ColumnarOptions(mode.bytesPerSecond(), false);
  }

  /** Those for a link that so many codec threads share, without a tail. */
  public static ColumnarOptions ofLink(long linkBytesPerSecond, int threads) {
    return new ColumnarOptions(Math.max(1, linkBytesPerSecond / threads), false);
  }

  /** The same with a general compressor behind. */
  public ColumnarOptions withTail() {
    return new ColumnarOptions(bytesPerSecond, true);
  }

  /** What a byte on the wire costs. */
  double nsPerByte() {
    return 1e9 / bytesPerSecond;
  }
}
