package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Costs;
import io.drayage.columnar.text.TextStreams;

/**
 * What encodings are chosen for. Only a sender has options; a receiver reads every choice.
 *
 * @param bytesPerSecond a codec thread's share of what the bytes pass: the link, the store
 * @param hasTail whether a general compressor follows
 */
public record ColumnarOptions(long bytesPerSecond, boolean hasTail) {
  /** {@link ColumnarMode#BALANCED}, without a tail. */
  public static final ColumnarOptions DEFAULT = of(ColumnarMode.BALANCED);

  /** Texts are compressed up to this rate. */
  private static final long MAX_COMPRESSED_RATE = 500_000_000;

  /** Up to this rate, texts are at least looked up in dictionaries. */
  private static final long MAX_DICTIONARY_RATE = 1_250_000_000;

  /** Up to this rate, bytes are worth the time to write a stream several times. */
  private static final long MAX_COMPARED_RATE = 125_000_000;

  /** The time of a general compressor that follows, for a byte, both ways. */
  private static final double TAIL_NS_PER_BYTE = 3;

  /** Higher levels of Zstandard take longer for texts and save little. */
  private static final int TEXT_LEVEL = 1;

  /** A higher level pays where sending a byte takes as long as compressing tens of bytes. */
  private static final int SLOW_LINK_TEXT_LEVEL = 5;

  /**
   * @throws IllegalArgumentException if the rate is not positive
   */
  public ColumnarOptions {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          format("at %,d bytes a second nothing arrives", bytesPerSecond));
    }
  }

  /** Those of a mode, without a tail. */
  public static ColumnarOptions of(ColumnarMode mode) {
    return new ColumnarOptions(mode.bytesPerSecond(), false);
  }

  /**
   * Those for bytes that go at this rate, without a tail: of what several threads share, a codec
   * thread's part. A byte always costs the machine something: no rate counts as higher than that of
   * {@link ColumnarMode#FAST}.
   *
   * @throws IllegalArgumentException if the rate is not positive
   */
  public static ColumnarOptions ofRate(long bytesPerSecond) {
    return new ColumnarOptions(Math.min(bytesPerSecond, ColumnarMode.FAST.bytesPerSecond()), false);
  }

  /** These options, for encodings that a general compressor follows. */
  public ColumnarOptions withTail() {
    return new ColumnarOptions(bytesPerSecond, true);
  }

  /**
   * What a byte costs once it is written: 1 / rate of the chooser's cost, and a tail. What a stream
   * passes on its way is in the rate already ({@link io.drayage.frame.StoreShare#behind}).
   */
  double nsPerByte() {
    return 1e9 / bytesPerSecond + (hasTail ? TAIL_NS_PER_BYTE : 0);
  }

  /** Whether an encoding is a candidate. */
  boolean considers(Costs costs) {
    return !costs.isCompression() || (!hasTail && bytesPerSecond <= costs.maxRate() * 1e6);
  }

  /** Whether what was written is compared with what all other candidates would take. */
  boolean comparesWritten() {
    return !hasTail && bytesPerSecond <= MAX_COMPARED_RATE;
  }

  /**
   * Before it is compared, the length of a written stream is multiplied by this, so that candidates
   * that are about as good are estimated. On the slowest links that would be too many of them.
   */
  double slack() {
    boolean isBetween = comparesWritten() && bytesPerSecond > ColumnarMode.DENSE.bytesPerSecond();
    return isBetween ? 1.05 : 1;
  }

  /** The aim that texts are written for. */
  TextStreams.Aim textAim() {
    if (!hasTail && bytesPerSecond <= MAX_COMPRESSED_RATE) {
      return TextStreams.Aim.SIZE;
    }
    return hasTail || bytesPerSecond <= MAX_DICTIONARY_RATE
        ? TextStreams.Aim.TAIL
        : TextStreams.Aim.SPEED;
  }

  /** The level of Zstandard that takes the least time for texts, the wire included. */
  int textLevel() {
    return comparesWritten() ? SLOW_LINK_TEXT_LEVEL : TEXT_LEVEL;
  }
}
