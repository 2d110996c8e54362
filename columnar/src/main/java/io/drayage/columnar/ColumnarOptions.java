package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Costs;
import io.drayage.columnar.text.TextStreams;

/**
 * The conditions for a choice of encodings. Only a sender has options; a receiver reads every
 * choice.
 *
 * @param bytesPerSecond a codec thread's share of the slowest stage, such as the link or the store
 * @param hasTail whether a general compressor follows
 */
public record ColumnarOptions(long bytesPerSecond, boolean hasTail) {
  /** {@link ColumnarMode#BALANCED}, without a tail. */
  public static final ColumnarOptions DEFAULT = of(ColumnarMode.BALANCED);

  /** Maximum rate at which texts are compressed. */
  private static final long MAX_COMPRESSED_RATE = 500_000_000;

  /** Maximum rate at which texts are at least looked up in dictionaries. */
  private static final long MAX_DICTIONARY_RATE = 1_250_000_000;

  /** Maximum rate at which bytes are worth the time to write a stream several times. */
  private static final long MAX_COMPARED_RATE = 125_000_000;

  /** The time of a following general compressor for a byte, both ways. */
  private static final double TAIL_NS_PER_BYTE = 3;

  /** Higher levels of Zstandard take longer for texts and save little. */
  private static final int TEXT_LEVEL = 1;

  /** A higher level pays if sending a byte takes as long as compressing tens of bytes. */
  private static final int SLOW_LINK_TEXT_LEVEL = 5;

  /**
   * @throws IllegalArgumentException if the rate is not positive
   */
  public ColumnarOptions {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          format("the rate must be positive, not %,d bytes a second", bytesPerSecond));
    }
  }

  /** Returns the options of a mode, without a tail. */
  public static ColumnarOptions of(ColumnarMode mode) {
    return new ColumnarOptions(mode.bytesPerSecond(), false);
  }

  /**
   * Returns the options for a rate, without a tail. If several threads share a link, the rate is
   * the share of one codec thread. Because a byte always costs the machine some time, a rate above
   * that of {@link ColumnarMode#FAST} counts as that rate.
   *
   * @throws IllegalArgumentException if the rate is not positive
   */
  public static ColumnarOptions ofRate(long bytesPerSecond) {
    return new ColumnarOptions(Math.min(bytesPerSecond, ColumnarMode.FAST.bytesPerSecond()), false);
  }

  /** Returns these options for encodings before a general compressor. */
  public ColumnarOptions withTail() {
    return new ColumnarOptions(bytesPerSecond, true);
  }

  /**
   * The cost of a written byte in nanoseconds: 1 / rate of the chooser's cost, plus a tail. The
   * rate includes all stages that a stream passes ({@link io.drayage.frame.StoreShare#behind}).
   */
  double nsPerByte() {
    return 1e9 / bytesPerSecond + (hasTail ? TAIL_NS_PER_BYTE : 0);
  }

  /** Whether an encoding is a candidate. */
  boolean considers(Costs costs) {
    return !costs.isCompression() || (!hasTail && bytesPerSecond <= costs.maxRate() * 1e6);
  }

  /** Whether a written stream is compared with the estimates of all other candidates. */
  boolean comparesWritten() {
    return !hasTail && bytesPerSecond <= MAX_COMPARED_RATE;
  }

  /**
   * The factor for a written stream's length before it is compared, so that candidates that are
   * about as good are estimated. It is 1 on the slowest links, which would have too many
   * candidates.
   */
  double slack() {
    boolean isBetween = comparesWritten() && bytesPerSecond > ColumnarMode.DENSE.bytesPerSecond();
    return isBetween ? 1.05 : 1;
  }

  /** The aim for writing texts. */
  TextStreams.Aim textAim() {
    if (!hasTail && bytesPerSecond <= MAX_COMPRESSED_RATE) {
      return TextStreams.Aim.SIZE;
    }
    return hasTail || bytesPerSecond <= MAX_DICTIONARY_RATE
        ? TextStreams.Aim.TAIL
        : TextStreams.Aim.SPEED;
  }

  /** The level of Zstandard with the shortest time for texts, sending included. */
  int textLevel() {
    return comparesWritten() ? SLOW_LINK_TEXT_LEVEL : TEXT_LEVEL;
  }
}
