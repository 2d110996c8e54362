package io.drayage.cargo;

/**
 * Makes the pages of a column when they are asked for, so that a cargo may be larger than memory.
 *
 * <p>Thread-safe: several threads ask at a time, in any order. A digest, a serializer, or a retry
 * after a lost connection may ask for a page again. The page must have the same values every time.
 * Otherwise the cargo that arrives differs from the one sent, and the digests show it.
 */
@FunctionalInterface
public interface PageSource {
  /**
   * Page {@code page} of the column, from 0: an array of the column's type, or a {@link TextPage},
   * with as many elements as the page has rows. The last page may have spare room behind its rows,
   * up to a whole page. The caller reads the page, and nobody keeps it.
   */
  Object page(int page);

  /**
   * The approximate number of bytes of a text of the column, if known without reading it; otherwise
   * 0, which is the default.
   */
  default int typicalTextBytes() {
    return 0;
  }
}
