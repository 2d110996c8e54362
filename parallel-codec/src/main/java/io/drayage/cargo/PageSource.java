package io.drayage.cargo;

/**
 * Makes the pages of a column when they are asked for, so that a cargo may be larger than memory.
 *
 * <p>Thread-safe: several threads ask at a time, in any order. The same page may be asked for more
 * than once, by a digest, a serializer, or after a lost connection, and must hold the same values
 * every time; else what arrives is not what was sent, and the digests tell.
 */
@FunctionalInterface
public interface PageSource {
  /**
   * Page {@code page} of the column, from 0: an array of the column's type, or a {@link TextPage},
   * with as many elements as the page has rows; that of the last page may have spare room behind
   * its rows, up to a whole page. The caller reads it, and nobody keeps it.
   */
  Object page(int page);

  /**
   * About how many bytes a text of the column takes, where that is known without reading it; or 0,
   * as always by default.
   */
  default int typicalTextBytes() {
    return 0;
  }
}
