package io.drayage.store;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a table that one commit touched, compressed: a run of adjacent rows takes four bytes,
 * and never more than one bit per row of the range. Immutable.
 */
final class RowSet {
  static final RowSet EMPTY = new RowSet(new long[0], new RowChunk[0]);

  private static final int CHUNK_SHIFT = 16;

  /** The overhead of a chunk: key, reference, headers. */
  private static final int CHUNK_OVERHEAD_BYTES = 48;

  /** Ascending; chunk {@code c} covers the rows from {@code keys[c] << 16} on. */
  private final long[] keys;

  private final RowChunk[] chunks;
  private final long bytes;

  private RowSet(long[] keys, RowChunk[] chunks) {
    this.keys = keys;
    this.chunks = chunks;
    long sum = 0;
    for (RowChunk chunk : chunks) {
      sum += chunk.bytes() + CHUNK_OVERHEAD_BYTES;
    }
    this.bytes = sum;
  }

  /** The rows in a column of row ids, none of them negative. */
  static RowSet ofRowIds(ColumnValues rowIds, boolean ascending) {
    Builder builder = ascending ? new AscendingBuilder() : new AnyOrderBuilder();
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      int rows = rowIds.rowsInPage(p);
      for (int i = 0; i < rows; i++) {
        builder.add(page[i]);
      }
    }
    return builder.build();
  }

  /** The rows whose bits are set. */
  static RowSet ofBits(RowBits bits) {
    AscendingBuilder builder = new AscendingBuilder();
    for (long w = 0; w < bits.wordCount(); w++) {
      long word = bits.word(w);
      if (word != 0) {
        builder.addWord(w, word);
      }
    }
    return builder.build();
  }

  boolean isEmpty() {
    return keys.length == 0;
  }

  /** Approximate memory use. */
  long bytes() {
    return bytes;
  }

  /** Names the ranges of rows in which there are some: the first of each, and the one behind. */
  void forEachChunk(RangeUse use) {
    for (long key : keys) {
      use.accept(key << CHUNK_SHIFT, (key + 1) << CHUNK_SHIFT);
    }
  }

  /** Takes a range of rows. */
  @FunctionalInterface
  interface RangeUse {
    void accept(long firstRow, long endRow);
  }

  boolean contains(long row) {
    int chunk = Arrays.binarySearch(keys, row >>> CHUNK_SHIFT);
    return chunk >= 0 && chunks[chunk].contains((int) row & (RowChunk.ROWS - 1));
  }

  /** The rows of this set that are in at least one of the others. */
  RowOverlap overlap(Iterable<RowSet> others) {
    RowOverlap found = new RowOverlap();
    long[] mine = new long[RowChunk.WORDS];
    long[] theirs = new long[RowChunk.WORDS];
    for (int c = 0; c < keys.length; c++) {
      boolean any = false;
      for (RowSet other : others) {
        int chunk = Arrays.binarySearch(other.keys, keys[c]);
        if (chunk >= 0) {
          other.chunks[chunk].addTo(theirs);
          any = true;
        }
      }
      if (any) {
        chunks[c].addTo(mine);
        found.addCommon(keys[c] << CHUNK_SHIFT, mine, theirs);
        Arrays.fill(mine, 0);
        Arrays.fill(theirs, 0);
      }
    }
    return found;
  }

  private interface Builder {
    void add(long row);

    RowSet build();
  }

  private static RowSet of(Map<Long, RowChunk> byKey) {
    long[] keys = byKey.keySet().stream().mapToLong(Long::longValue).toArray();
    return keys.length == 0 ? EMPTY : new RowSet(keys, byKey.values().toArray(RowChunk[]::new));
  }

  /** Compresses a chunk as soon as the next one begins. */
  private static final class AscendingBuilder implements Builder {
    private final Map<Long, RowChunk> done = new TreeMap<>();
    private final long[] words = new long[RowChunk.WORDS];
    private long key = -1;

    @Override
    public void add(long row) {
      addWord(row >>> 6, 1L << row);
    }

    void addWord(long wordIndex, long word) {
      long wordKey = wordIndex >>> (CHUNK_SHIFT - 6);
      if (wordKey != key) {
        finishChunk();
        key = wordKey;
      }
      words[(int) wordIndex & (RowChunk.WORDS - 1)] |= word;
    }

    private void finishChunk() {
      if (key >= 0) {
        done.put(key, RowChunk.of(words));
        Arrays.fill(words, 0);
      }
    }

    @Override
    public RowSet build() {
      finishChunk();
      key = -1;
      return of(done);
    }
  }

  /** Keeps every chunk as bits until the end. */
  private static final class AnyOrderBuilder implements Builder {
    private final Map<Long, long[]> bits = new TreeMap<>();
    private long[] words = new long[0];
    private long key = -1;

    @Override
    public void add(long row) {
      long rowKey = row >>> CHUNK_SHIFT;
      if (rowKey != key) {
        key = rowKey;
        words = bits.computeIfAbsent(rowKey, k -> new long[RowChunk.WORDS]);
      }
      words[(int) (row >>> 6) & (RowChunk.WORDS - 1)] |= 1L << row;
    }

    @Override
    public RowSet build() {
      Map<Long, RowChunk> chunks = new TreeMap<>();
      bits.forEach((chunkKey, chunkBits) -> chunks.put(chunkKey, RowChunk.of(chunkBits)));
      return of(chunks);
    }
  }
}
