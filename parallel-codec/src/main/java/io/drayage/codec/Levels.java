package io.drayage.codec;

import static io.drayage.internal.Texts.format;

/**
 * The levels of a compressor: a higher level needs more time and gives fewer bytes.
 *
 * @param min the lowest
 * @param max the highest; below {@code min} if there are no levels
 * @param defaultLevel the level if none is named
 */
public record Levels(int min, int max, int defaultLevel) {
  /** The levels of a compressor without levels. */
  public static final Levels NONE = new Levels(0, -1, 0);

  /** Whether there are levels to choose from. */
  public boolean any() {
    return max >= min;
  }

  /**
   * Returns {@code level}.
   *
   * @param compressor the compressor's name, for the message
   * @throws IllegalArgumentException if the level is outside the range; the message has the range
   */
  public int require(int level, String compressor) {
    if (level < min || level > max) {
      throw new IllegalArgumentException(
          any()
              ? format("level %d is none of %s: choose %d to %d", level, compressor, min, max)
              : format("compressor %s has no levels: leave out %d", compressor, level));
    }
    return level;
  }
}
