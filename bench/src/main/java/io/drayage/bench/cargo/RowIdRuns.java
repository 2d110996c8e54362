package io.drayage.bench.cargo;

import io.drayage.cargo.ColumnValues;
import java.util.SplittableRandom;

/**
 * Ascending ids in runs with gaps between them, as when whole ranges of products are planned anew:
 * four of five rows on average.
 *
 * <p>Each page of ids has a range of its own, a quarter larger than the page, so that pages can be
 * filled in any order and never overlap.
 */
final class RowIdRuns {
  /** Runs have 1 to this many ids... */
  private static final int MAX_RUN = 64;

  /** ...and gaps 1 to this many, a quarter of a run on average. */
  private static final int MAX_GAP = 15;

  private RowIdRuns() {}

  /** Rows in which {@code count} ids have room: those, and a quarter for the gaps. */
  static long rangeOf(long count) {
    return count + count / 4;
  }

  /** Fills page {@code page} of ids, distinct and ascending, from {@code firstId} on. */
  static void fill(long[] ids, int page, long firstId, SplittableRandom random) {
    long id = firstId + page * rangeOf(ColumnValues.DEFAULT_ROWS_PER_PAGE);
    int spare = ids.length / 4;
    int row = 0;
    while (row < ids.length) {
      int end = Math.min(ids.length, row + 1 + random.nextInt(MAX_RUN));
      while (row < end) {
        ids[row++] = id++;
      }
      int gap = Math.min(spare, 1 + random.nextInt(MAX_GAP));
      spare -= gap;
      id += gap;
    }
  }
}
