package io.drayage.codec;

import static io.drayage.internal.Texts.format;

/**
 * Turns bytes into fewer bytes and back, at one level. Immutable and thread-safe: {@link
 * #newSegmentCompressor} creates the objects with state. Compressors of one kind and level are
 * equal. A compressor can read the data of all its levels.
 */
public interface Compressor extends Codec {
  /** The number of {@code none}, which also marks a segment that did not become smaller. */
  int STORED_ID = 1;

  /** The levels of this compressor; {@link Levels#NONE} unless overridden. */
  default Levels levels() {
    return Levels.NONE;
  }

  /** The level of this object. */
  default int level() {
    return levels().defaultLevel();
  }

  /**
   * This compressor at another level.
   *
   * @throws IllegalArgumentException if there is no such level; the message has the range of levels
   */
  default Compressor atLevel(int level) {
    throw new IllegalArgumentException(
        format("compressor %s has no levels: leave out %d", name(), level));
  }

  /**
   * The largest number of bytes that one compressed byte can expand to in this format. A segment
   * that claims more is refused before memory is allocated for it.
   */
  int maxRatio();

  /**
   * Creates a compressor of single segments, which is not thread-safe.
   *
   * @throws UnsupportedOperationException that names a native library that cannot be loaded
   */
  SegmentCompressor newSegmentCompressor();
}
