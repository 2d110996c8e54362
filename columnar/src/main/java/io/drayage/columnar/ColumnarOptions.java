package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.text.TextStreams;

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

  /** Where Zstandard takes about as long for a byte, both ways, as two bytes on the wire. */
  private static final long MAX_COMPRESSED_RATE = 500_000_000;

  /**
   * Where LZ4 takes about as long for a byte that it leaves, both ways, as for four on the wire.
   */
  private static final long MAX_FAST_RATE = 1_250_000_000;

  /** Where Zstandard takes about half as long for a byte of a number, both ways, as the wire. */
  private static final long MAX_PLANES_RATE = 125_000_000;

  /** Of Zstandard, for texts: higher ones take longer and save little. */
  private static final int TEXT_LEVEL = 1;

  /** Where a byte takes as long as tens of them do with a higher level. */
  private static final int SLOW_LINK_TEXT_LEVEL = 5;

  /**
   * @throws IllegalArgumentException if the rate is not positive
   */
  public ColumnarOptions {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          format("a link of %,d bytes a second carries nothing", bytesPerSecond));
    }
  }

  /** Those of a mode, without a tail. */
  public static ColumnarOptions of(ColumnarMode mode) {
    return new ColumnarOptions(mode.bytesPerSecond(), false);
  }

  /**
   * Those for a link of this rate, without a tail: of a link that several threads share, a codec
   * thread's part. A byte costs the machine something on any link: none counts as faster than that
   * of {@link ColumnarMode#FAST}.
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
   * Whether texts and numbers may be worth Zstandard, or an entropy coder of ours: not on a fast
   * link, and not if a compressor follows anyway.
   */
  boolean compresses() {
    return !hasTail && bytesPerSecond <= MAX_COMPRESSED_RATE;
  }

  /** Whether raw values may be worth LZ4. */
  boolean compressesFast() {
    return !hasTail && bytesPerSecond <= MAX_FAST_RATE;
  }

  /**
   * Whether planes of bytes may be: where a byte costs more than Zstandard takes for it, and not if
   * a compressor follows anyway.
   */
  boolean compressesPlanes() {
    return !hasTail && bytesPerSecond <= MAX_PLANES_RATE;
  }

  /**
   * What was written is compared with what else may be longer by this, by estimate. Not where so
   * many encodings are alike that one is as good as the other.
   */
  double slack() {
    return bytesPerSecond <= ColumnarMode.DENSE.bytesPerSecond() ? 1 : 1.05;
  }

  /** What texts are written for. */
  TextStreams.Aim textAim() {
    if (compresses()) {
      return TextStreams.Aim.SIZE;
    }
    return hasTail || compressesFast() ? TextStreams.Aim.TAIL : TextStreams.Aim.SPEED;
  }

  /** The level of Zstandard that takes the least time for texts, the wire included. */
  int textLevel() {
    return compressesPlanes() ? SLOW_LINK_TEXT_LEVEL : TEXT_LEVEL;
  }

  /** What a byte on the wire costs. */
  double nsPerByte() {
    return 1e9 / bytesPerSecond;
  }
}
