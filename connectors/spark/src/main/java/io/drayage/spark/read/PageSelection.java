package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a table that a scan reads.
 *
 * @param pages their numbers; null for all
 * @param count the number of pages of the table; 0 if it was not counted
 * @param readBytes the bytes that were read to select them
 * @param by the reason, for {@code EXPLAIN}
 */
record PageSelection(@Nullable BitSet pages, int count, long readBytes, String by) {
  static final PageSelection ALL = new PageSelection(null, 0, 0, "");

  /** Returns the pages to load; null for all, which a later query may then find in the cache. */
  @Nullable BitSet loaded() {
    return pages == null || pages.cardinality() > count / 2 ? null : pages;
  }

  /** Returns the share of the pages that is read. */
  double share() {
    return pages == null || count == 0 ? 1 : (double) pages.cardinality() / count;
  }

  /** Returns the number of pages that are not read. */
  int skipped() {
    return pages == null ? 0 : count - pages.cardinality();
  }

  /** Describes the selection; empty for all pages. */
  String description() {
    return pages == null ? "" : format(", %,d of %,d pages by %s", count - skipped(), count, by);
  }
}
