package io.drayage.store;

import static io.drayage.internal.Texts.format;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The rows that two transactions have in common: their count, and the first of them. */
final class RowOverlap {
  /** The number of rows named in a message. */
  private static final int NAMED_ROWS = 5;

  private final List<Long> first = new ArrayList<>();
  private long count;

  /** Adds the common bits; bit 0 is the row {@code firstRow}. */
  void addCommon(long firstRow, long[] mine, long[] theirs) {
    for (int w = 0; w < mine.length; w++) {
      long common = mine[w] & theirs[w];
      count += Long.bitCount(common);
      for (long left = common; left != 0 && first.size() < NAMED_ROWS; left &= left - 1) {
        first.add(firstRow + (long) w * Long.SIZE + Long.numberOfTrailingZeros(left));
      }
    }
  }

  public long count() {
    return count;
  }

  /** The count and the first rows: {@code 1,204 rows (17, 18, 19, 20, 40 ...)}. */
  @Override
  public String toString() {
    String rows = first.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return format(
        "%,d %s (%s%s)",
        count, count == 1 ? "row" : "rows", rows, count > first.size() ? " ..." : "");
  }
}
