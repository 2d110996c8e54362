package io.drayage.spark.read;

import io.drayage.cargo.ColumnValues;
import io.drayage.replica.ChangedRows;
import io.drayage.store.column.Bounds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a table in a snapshot, as far as they are known without reading values: their live
 * rows, and the bounds of columns in pages that are as they were in the full snapshot.
 *
 * @param bounds by column and page; a column without known bounds is left out
 * @param readBytes the bytes that were read to find them
 */
record TablePages(ChangedRows rows, Map<String, @Nullable Bounds[]> bounds, long readBytes) {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** Returns the number of pages. */
  int count() {
    return rows.pageCount();
  }

  /**
   * Finds the pages with rows that filters may accept.
   *
   * @param filters all of which a row has to satisfy
   * @param types of the columns in Spark, by name
   * @param rowColumn the name of the column of row numbers
   */
  BitSet matching(Predicate[] filters, Map<String, DataType> types, String rowColumn) {
    BitSet matching = new BitSet();
    for (int page = 0; page < count(); page++) {
      int at = page;
      PageFilter filter =
          new PageFilter(
              column -> column.equals(rowColumn) ? numbers(at) : bounds(column, at),
              column -> column.equals(rowColumn) ? DataTypes.LongType : types.get(column));
      matching.set(
          page, rows.liveRows(page) > 0 && Arrays.stream(filters).allMatch(filter::mayAccept));
    }
    return matching;
  }

  /** Finds the first pages that have a number of live rows together. */
  BitSet first(long wantedRows) {
    BitSet first = new BitSet();
    long left = wantedRows;
    for (int page = 0; page < count() && left > 0; page++) {
      int live = rows.liveRows(page);
      first.set(page, live > 0);
      left -= live;
    }
    return first;
  }

  private static Bounds numbers(int page) {
    long first = (long) page * PAGE_ROWS;
    return new Bounds(false, true, first, first + PAGE_ROWS - 1, "", "", false, false);
  }

  /** Returns the bounds of a column in a page; null if they are unknown, or no longer hold. */
  private @Nullable Bounds bounds(String column, int page) {
    @Nullable Bounds @Nullable [] known = bounds.get(column);
    BitSet updated = rows.updated().get(column);
    return known == null
            || page >= known.length
            || isExtended(page)
            || (updated != null && updated.get(page))
        ? null
        : known[page];
  }

  /** Whether a page has rows that were inserted since the full snapshot. */
  private boolean isExtended(int page) {
    long before = rows.full().rowCount();
    return rows.now().rowCount() > before && (page + 1L) * PAGE_ROWS > before;
  }

  /** Returns the number of live rows. */
  long liveRows() {
    return rows.now().liveRowCount();
  }

  /**
   * Returns the bounds of all live values of a column.
   *
   * @param isLow whether the low bound is wanted, which alone is right then; else the high one
   * @return bounds without a value if all rows are null; null if the wanted bound may differ from
   *     the smallest or largest value
   */
  @Nullable Bounds exact(String column, boolean isLow) {
    Bounds found = new Bounds(false, false, 0, 0, "", "", false, false);
    Bounds loosest = found;
    for (int page = 0; page < count(); page++) {
      if (rows.liveRows(page) == 0) {
        continue;
      }
      Bounds next = bounds(column, page);
      if (next == null) {
        return null;
      }
      if (rows.hasNewlyDeleted(page)) {
        loosest = outer(loosest, next, isLow);
      } else {
        found = outer(found, next, isLow);
      }
    }
    boolean isInside = outer(found, loosest, isLow).equals(found);
    return isInside && !isCut(found, isLow) ? found : null;
  }

  private static boolean isCut(Bounds bounds, boolean isLow) {
    return isLow ? bounds.lowIsCut() : bounds.highIsCut();
  }

  /** Returns the one with the smaller low, or the larger high bound; the first of equal ones. */
  private static Bounds outer(Bounds one, Bounds other, boolean isLow) {
    if (!one.hasValue() || !other.hasValue()) {
      return one.hasValue() || !other.hasValue() ? one : other;
    }
    return isLow ? lower(one, other) : higher(one, other);
  }

  private static int compareTexts(String one, String other) {
    return UTF8String.fromString(one).compareTo(UTF8String.fromString(other));
  }

  private static Bounds lower(Bounds one, Bounds other) {
    int order = Long.compare(one.low(), other.low());
    order = order == 0 ? compareTexts(one.lowText(), other.lowText()) : order;
    // Of equal beginnings, a whole text is the smaller one.
    return order < 0 || (order == 0 && (!one.lowIsCut() || other.lowIsCut())) ? one : other;
  }

  private static Bounds higher(Bounds one, Bounds other) {
    int order = Long.compare(one.high(), other.high());
    if (order == 0 && other.highIsCut() && one.highText().startsWith(other.highText())) {
      return other;
    } else if (order == 0 && one.highIsCut() && other.highText().startsWith(one.highText())) {
      return one;
    }
    order = order == 0 ? compareTexts(one.highText(), other.highText()) : order;
    return order >= 0 ? one : other;
  }
}
