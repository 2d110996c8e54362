package io.drayage.store;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the rows of several sets together: each row once, ascending. Needs one bit for each of
 * 65,536 rows, whatever their number. Not thread-safe.
 */
final class RowCursor {
  private final List<RowSet> sets;

  /** The place of the next chunk of each set. */
  private final int[] places;

  /** The chunks of the sets in the current range; null for a set that has no rows there. */
  private final @Nullable RowChunk[] chunks;

  /** The rows of all of these chunks. */
  private final long[] words = new long[RowChunk.WORDS];

  private long firstRow;
  private int word = RowChunk.WORDS - 1;

  /** The rows of the word that were not returned yet. */
  private long left;

  private int offset;

  /** A cursor before the first row. */
  public RowCursor(List<RowSet> sets) {
    this.sets = List.copyOf(sets);
    this.places = new int[sets.size()];
    this.chunks = new RowChunk[sets.size()];
  }

  /** A cursor before the first row of a chunk of one set. */
  RowCursor(RowSet set, int place) {
    this(List.of(set));
    places[0] = place;
  }

  /** Moves to the next row. Returns false if there is none. */
  public boolean next() {
    while (left == 0) {
      if (word == RowChunk.WORDS - 1) {
        if (!nextRange()) {
          return false;
        }
        word = -1;
      }
      left = words[++word];
    }
    offset = (word << 6) + Long.numberOfTrailingZeros(left);
    left &= left - 1;
    return true;
  }

  private boolean nextRange() {
    long key = Long.MAX_VALUE;
    for (int set = 0; set < places.length; set++) {
      key = Math.min(key, sets.get(set).key(places[set]));
    }
    if (key == Long.MAX_VALUE) {
      return false;
    }
    Arrays.fill(words, 0);
    for (int set = 0; set < places.length; set++) {
      RowSet each = sets.get(set);
      RowChunk chunk = each.key(places[set]) == key ? each.chunk(places[set]++) : null;
      chunks[set] = chunk;
      if (chunk != null) {
        chunk.addTo(words);
      }
    }
    firstRow = key * RowChunk.ROWS;
    return true;
  }

  /** The current row, after the first move. */
  public long row() {
    return firstRow + offset;
  }

  /** Whether set number {@code set} contains the current row. */
  public boolean isIn(int set) {
    RowChunk chunk = chunks[set];
    return chunk != null && chunk.contains(offset);
  }
}
