package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnValues;
import java.util.SplittableRandom;

/**
 * Ascending ids of updated rows, in runs with gaps between them, as when the plans of whole groups
 * of products are revised: every other row on average.
 *
 * <p>Each page of ids has a range of its own, twice as large as the page, so that pages can be
 * filled in any order and never overlap.
 */
final class RowIdRuns {
  /**
   * The table's older rows, which are not updated: 20,000 products and 52 weeks in 800 stores, for
   * five years. Every id is then between 2^32 and 2^34 in a cargo of up to 100 GB, so that the
   * variable length in which Kryo (5 bytes) and MessagePack (9) write it does not depend on the
   * size, as in the study's figures.
   */
  static final long FIRST_ID = 4_300_000_000L;

  /** Runs have 1 to this many ids... */
  private static final int MAX_RUN = 200;

  /** ...and gaps as many. */
  private static final int MAX_GAP = 200;

  private RowIdRuns() {}

  /** Rows in which {@code count} ids have room: those, and as many for the gaps. */
  static long rangeOf(long count) {
    return 2 * count;
  }

  /** Fills the first {@code rows} of page {@code page} of ids, distinct and ascending. */
  static void fill(long[] ids, int rows, int page, SplittableRandom random) {
    long id = FIRST_ID + page * rangeOf(ColumnValues.DEFAULT_ROWS_PER_PAGE);
    int spare = rows;
    int row = 0;
    while (row < rows) {
      int end = Math.min(rows, row + 1 + random.nextInt(MAX_RUN));
      while (row < end) {
        ids[row++] = id++;
      }
      int gap = Math.min(spare, 1 + random.nextInt(MAX_GAP));
      spare -= gap;
      id += gap;
    }
  }
}
