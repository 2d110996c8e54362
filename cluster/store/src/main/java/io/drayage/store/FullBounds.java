package io.drayage.store;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.store.column.Bounds;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Bounds} of the stored pages in the cargo of a full snapshot. Table {@value #BOUNDS}
 * has a row for each page of each column: first the pages of the first stored column of the schema.
 */
public final class FullBounds {
  /** The table of the bounds. */
  public static final String BOUNDS = ".bounds";

  private static final int HAS_NULL = 1;
  private static final int HAS_VALUE = 2;
  private static final int LOW_IS_CUT = 4;
  private static final int HIGH_IS_CUT = 8;

  private FullBounds() {}

  /** Collects bounds in the order of the table. Not thread-safe. */
  static final class Writer {
    private final ColumnBuilder flags = new ColumnBuilder(ColumnType.BYTE);
    private final ColumnBuilder lows = new ColumnBuilder(ColumnType.LONG);
    private final ColumnBuilder highs = new ColumnBuilder(ColumnType.LONG);
    private final ColumnBuilder lowTexts = new ColumnBuilder(ColumnType.STRING);
    private final ColumnBuilder highTexts = new ColumnBuilder(ColumnType.STRING);

    void add(Bounds page) {
      flags.addByte(
          (byte)
              ((page.hasNull() ? HAS_NULL : 0)
                  | (page.hasValue() ? HAS_VALUE : 0)
                  | (page.lowIsCut() ? LOW_IS_CUT : 0)
                  | (page.highIsCut() ? HIGH_IS_CUT : 0)));
      lows.addLong(page.low());
      highs.addLong(page.high());
      lowTexts.addString(page.lowText());
      highTexts.addString(page.highText());
    }

    /** Adds the table, unless it would be empty. */
    void addTo(ChangeCargo.Builder cargo) {
      if (flags.rowCount() > 0) {
        cargo.table(
            BOUNDS,
            changes ->
                changes
                    .insert("flags", flags.build())
                    .insert("low", lows.build())
                    .insert("high", highs.build())
                    .insert("lowText", lowTexts.build())
                    .insert("highText", highTexts.build()));
      }
    }
  }

  /**
   * The place of a column's bounds.
   *
   * @param firstRow the first row of {@value #BOUNDS}
   * @param pages the stored pages, each of which has a row
   */
  public record Place(long firstRow, BitSet pages) {
    /** Whether it has one of some rows of {@value #BOUNDS}. */
    public boolean hasAnyOf(long first, long count) {
      return firstRow < first + count && first < firstRow + pages.cardinality();
    }
  }

  /**
   * Finds the bounds of columns.
   *
   * @param described the description of the tables in a full snapshot
   * @param columns of {@code table}
   * @return by column; a column without stored pages is left out
   */
  public static Map<String, Place> places(
      ChangeCargo described, String table, Collection<String> columns) {
    Map<Integer, BitSet> pages = FullContents.pages(described);
    Map<String, Place> places = new HashMap<>();
    long row = 0;
    for (FullContents.Described column : FullContents.columns(described)) {
      BitSet own = column.isStored() ? pages.get(column.group()) : null;
      if (own != null) {
        if (column.table().equals(table) && columns.contains(column.schema().name())) {
          places.put(column.schema().name(), new Place(row, own));
        }
        row += own.cardinality();
      }
    }
    return places;
  }

  /**
   * Reads the bounds of a column.
   *
   * @param bounds has the rows of {@code place}, maybe without others
   * @return by the number of the page in the table; null for a page that is not stored
   * @throws IllegalArgumentException if there are no such rows
   */
  public static @Nullable Bounds[] read(TableChanges bounds, Place place) {
    if (place.firstRow + place.pages.cardinality() > bounds.insertedRowCount()) {
      throw new IllegalArgumentException("table '%s' is too short".formatted(BOUNDS));
    }
    ColumnValues flags = FullContents.values(bounds, "flags");
    ColumnValues lows = FullContents.values(bounds, "low");
    ColumnValues highs = FullContents.values(bounds, "high");
    ColumnValues lowTexts = FullContents.values(bounds, "lowText");
    ColumnValues highTexts = FullContents.values(bounds, "highText");
    @Nullable Bounds[] byPage = new Bounds[place.pages.length()];
    long row = place.firstRow;
    for (int page = place.pages.nextSetBit(0);
        page >= 0;
        page = place.pages.nextSetBit(page + 1), row++) {
      if (flags.get(row) instanceof Byte flag
          && lows.get(row) instanceof Long low
          && highs.get(row) instanceof Long high
          && lowTexts.get(row) instanceof String lowText
          && highTexts.get(row) instanceof String highText) {
        byPage[page] =
            new Bounds(
                (flag & HAS_NULL) != 0,
                (flag & HAS_VALUE) != 0,
                low,
                high,
                lowText,
                highText,
                (flag & LOW_IS_CUT) != 0,
                (flag & HIGH_IS_CUT) != 0);
      } else {
        throw new IllegalArgumentException("table '%s' has other columns".formatted(BOUNDS));
      }
    }
    return byPage;
  }
}
