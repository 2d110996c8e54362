package io.drayage.store;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a table that one commit touched, compressed. A run of adjacent rows needs four bytes.
 * The set never needs more than one bit per row of the range. Immutable.
 */
final class RowSet {
  public static final RowSet EMPTY = new RowSet(new long[0], new RowChunk[0]);

  private static final int CHUNK_SHIFT = 16;
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** The overhead of a chunk: key, reference, headers. */
  private static final int CHUNK_OVERHEAD_BYTES = 48;

  /** The keys, ascending; chunk {@code c} covers the rows from {@code keys[c] << 16} on. */
  private final long[] keys;

  private final RowChunk[] chunks;
  private final long bytes;

  /** A set of the rows in chunks that are not empty. */
  RowSet(long[] keys, RowChunk[] chunks) {
    this.keys = keys;
    this.chunks = chunks;
    long sum = 0;
    for (RowChunk chunk : chunks) {
      sum += chunk.bytes() + CHUNK_OVERHEAD_BYTES;
    }
    this.bytes = sum;
  }

  /** The rows in a column of row ids, none of them negative. */
  public static RowSet ofRowIds(ColumnValues rowIds, boolean ascending) {
    Builder builder = new Builder(ascending);
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      int rows = rowIds.rowsInPage(p);
      for (int i = 0; i < rows; i++) {
        boolean unused = builder.add(page[i]);
      }
    }
    return builder.build();
  }

  /** The rows whose bits are set. */
  public static RowSet ofBits(RowBits bits) {
    Builder builder = new Builder(true);
    for (long w = bits.nextSetWord(0); w < bits.wordCount(); w = bits.nextSetWord(w + 1)) {
      boolean unused = builder.addWord(w, bits.word(w));
    }
    return builder.build();
  }

  public boolean isEmpty() {
    return keys.length == 0;
  }

  /** The rows of both sets. */
  public RowSet plus(RowSet other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    Map<Long, RowChunk> union = new TreeMap<>();
    for (int c = 0; c < keys.length; c++) {
      union.put(keys[c], chunks[c]);
    }
    for (int c = 0; c < other.keys.length; c++) {
      union.merge(other.keys[c], other.chunks[c], RowSet::union);
    }
    return of(union);
  }

  private static RowChunk union(RowChunk one, RowChunk other) {
    long[] words = new long[RowChunk.WORDS];
    one.addTo(words);
    other.addTo(words);
    return RowChunk.of(words);
  }

  private static RowSet of(Map<Long, RowChunk> chunks) {
    long[] keys = chunks.keySet().stream().mapToLong(Long::longValue).toArray();
    return keys.length == 0 ? EMPTY : new RowSet(keys, chunks.values().toArray(RowChunk[]::new));
  }

  /** The rows as a column of row ids, ascending. Each page is made on demand. */
  public ColumnValues rowIds() {
    long[] ends = new long[chunks.length];
    long end = 0;
    for (int c = 0; c < chunks.length; c++) {
      end += chunks[c].count();
      ends[c] = end;
    }
    return ColumnValues.onDemand(
        ColumnType.LONG, end, PAGE_ROWS, page -> rowIds(ends, (long) page * PAGE_ROWS));
  }

  /**
   * A page of row ids.
   *
   * @param ends the number of rows up to the end of each chunk
   * @param from the number of rows before the page
   */
  private long[] rowIds(long[] ends, long from) {
    int found = Arrays.binarySearch(ends, from);
    int chunk = found < 0 ? -1 - found : found + 1;
    RowCursor cursor = new RowCursor(this, chunk);
    for (long before = chunk == 0 ? 0 : ends[chunk - 1]; before < from; before++) {
      boolean unused = cursor.next();
    }
    long[] ids = new long[(int) Math.min(PAGE_ROWS, ends[ends.length - 1] - from)];
    for (int i = 0; i < ids.length && cursor.next(); i++) {
      ids[i] = cursor.row();
    }
    return ids;
  }

  /** The key of the chunk at a place; the greatest long after the last chunk. */
  long key(int place) {
    return place < keys.length ? keys[place] : Long.MAX_VALUE;
  }

  RowChunk chunk(int place) {
    return chunks[place];
  }

  /**
   * The rows of this set that are in one of several ranges.
   *
   * @param ranges the first row of each, and the row after its last; ascending, without overlap
   */
  public RowSet within(List<long[]> ranges) {
    Map<Long, RowChunk> found = new TreeMap<>();
    long[] words = new long[RowChunk.WORDS];
    int next = 0;
    for (int c = 0; c < keys.length; c++) {
      long first = keys[c] << CHUNK_SHIFT;
      while (next < ranges.size() && ranges.get(next)[1] <= first) {
        next++;
      }
      if (next == ranges.size()) {
        break;
      }
      if (ranges.get(next)[0] >= first + RowChunk.ROWS) {
        continue;
      }
      long[] kept = new long[RowChunk.WORDS];
      boolean any = false;
      chunks[c].addTo(words);
      for (int r = next; r < ranges.size() && ranges.get(r)[0] < first + RowChunk.ROWS; r++) {
        long from = Math.max(ranges.get(r)[0] - first, 0);
        long end = Math.min(ranges.get(r)[1] - first, RowChunk.ROWS);
        for (int w = (int) (from >>> 6); w << 6 < end; w++) {
          long mask = w << 6 < from ? -1L << from : -1L;
          mask &= end - (w << 6) < Long.SIZE ? ~(-1L << end) : -1L;
          kept[w] |= words[w] & mask;
          any |= kept[w] != 0;
        }
      }
      if (any) {
        found.put(keys[c], RowChunk.of(kept));
      }
      Arrays.fill(words, 0);
    }
    return of(found);
  }

  /** Counts the rows. Only reads each run of them once. */
  public long count() {
    long count = 0;
    for (RowChunk chunk : chunks) {
      count += chunk.count();
    }
    return count;
  }

  /** The rows as bits. All rows are below {@code size}. */
  public RowBits bits(long size) {
    RowBits bits = new RowBits(size);
    long[] words = new long[RowChunk.WORDS];
    for (int c = 0; c < keys.length; c++) {
      chunks[c].addTo(words);
      for (int w = 0; w < RowChunk.WORDS; w++) {
        if (words[w] != 0) {
          bits.setWord((keys[c] << (CHUNK_SHIFT - 6)) + w, words[w]);
        }
      }
      Arrays.fill(words, 0);
    }
    return bits;
  }

  /** Approximate memory use. */
  public long bytes() {
    return bytes;
  }

  /** Passes on each range with rows of the set: its first row, and the row after its last. */
  public void forEachChunk(RangeUse use) {
    for (long key : keys) {
      use.accept(key << CHUNK_SHIFT, (key + 1) << CHUNK_SHIFT);
    }
  }

  /** The consumer of a range of rows. */
  @FunctionalInterface
  public interface RangeUse {
    void accept(long firstRow, long endRow);
  }

  public boolean contains(long row) {
    int chunk = Arrays.binarySearch(keys, row >>> CHUNK_SHIFT);
    return chunk >= 0 && chunks[chunk].contains((int) row & (RowChunk.ROWS - 1));
  }

  /** The rows of this set that are in at least one of the other sets. */
  public RowOverlap overlap(Iterable<RowSet> others) {
    Map<Integer, List<RowChunk>> met = new TreeMap<>(); // by the place of the chunk here
    for (RowSet other : others) {
      RowSet fewer = other.keys.length < keys.length ? other : this;
      for (long key : fewer.keys) {
        int here = Arrays.binarySearch(keys, key);
        int there = Arrays.binarySearch(other.keys, key);
        if (here >= 0 && there >= 0) {
          met.computeIfAbsent(here, unused -> new ArrayList<>()).add(other.chunks[there]);
        }
      }
    }
    RowOverlap found = new RowOverlap();
    long[] mine = new long[RowChunk.WORDS];
    long[] theirs = new long[RowChunk.WORDS];
    met.forEach(
        (place, chunksOfOthers) -> {
          chunks[place].addTo(mine);
          chunksOfOthers.forEach(chunk -> chunk.addTo(theirs));
          found.addCommon(keys[place] << CHUNK_SHIFT, mine, theirs);
          Arrays.fill(mine, 0);
          Arrays.fill(theirs, 0);
        });
    return found;
  }

  /** Collects rows. Fastest if the rows of one chunk follow each other. Not thread-safe. */
  public static final class Builder {
    private final boolean ascending;
    private final Map<Long, RowChunk> done = new TreeMap<>();

    /** The chunks that are not compressed yet; with ascending rows, only the last chunk. */
    private final Map<Long, long[]> open = new TreeMap<>();

    private long[] words = new long[0];
    private long key = -1;

    /**
     * @param ascending whether rows ascend: then a chunk is compressed as soon as the next one
     *     begins
     */
    public Builder(boolean ascending) {
      this.ascending = ascending;
    }

    /** Adds a row. Returns false if the set contains it already. */
    public boolean add(long row) {
      return addWord(row >>> 6, 1L << row);
    }

    private boolean addWord(long wordIndex, long word) {
      long wordKey = wordIndex >>> (CHUNK_SHIFT - 6);
      if (wordKey != key) {
        if (ascending) {
          compress();
        }
        key = wordKey;
        words = open.computeIfAbsent(key, unused -> new long[RowChunk.WORDS]);
      }
      int w = (int) wordIndex & (RowChunk.WORDS - 1);
      long before = words[w];
      words[w] = before | word;
      return words[w] != before;
    }

    private void compress() {
      open.forEach((each, bits) -> done.put(each, RowChunk.of(bits)));
      open.clear();
    }

    /** Returns the rows. No more rows may be added. */
    public RowSet build() {
      compress();
      return of(done);
    }
  }
}
