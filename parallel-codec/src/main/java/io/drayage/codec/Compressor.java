package io.drayage.codec;

import static io.drayage.internal.Texts.format;

/**
 * Turns bytes into fewer bytes and back, at one level. Immutable and thread-safe: what has state is
 * created by {@link #newSegmentCompressor}. Compressors of one kind and level are equal. What one
 * level wrote any other can read.
 */
public interface Compressor extends Codec {
  /** The number of {@code none}, which also marks a segment that did not become smaller. */
  int STORED_ID = 1;

  /** The levels there are; {@link Levels#NONE} unless overridden. */
  default Levels levels() {
    return Levels.NONE;
  }

  /** The level of this one. */
  default int level() {
    return levels().defaultLevel();
  }

  /**
   * This compressor at another level.
   *
   * @throws IllegalArgumentException if there is no such level, naming those there are
   */
  default Compressor atLevel(int level) {
    throw new IllegalArgumentException(
        format("compressor %s has no levels, so not %d either", name(), level));
  }

  /**
   * The most bytes that one compressed byte can stand for in this format. A segment that claims
   * more is refused before memory is set aside for it.
   */
  int maxRatio();

  /**
   * Creates a compressor of single segments, which is not thread-safe.
   *
   * @throws UnsupportedOperationException if this machine cannot load its native library, naming it
   */
  SegmentCompressor newSegmentCompressor();
}
