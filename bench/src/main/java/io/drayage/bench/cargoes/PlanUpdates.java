package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Fills the updates of one column of a planning table: which rows they are, and their new values.
 * They differ less than inserted values: a planner sets a whole run of weeks to one number.
 */
final class PlanUpdates {
  /** Sets the generators of updates apart from those of the inserts to the same column. */
  private static final int VALUES_OFFSET = 100;

  private static final int ROW_IDS_OFFSET = 200;

  private static final Habit QUANTITY = new Habit(40, 0.75);
  private static final Habit UNITS_SOLD = new Habit(6, 0.9);

  private final long seed;
  private final int table;
  private final int column;
  private final ProductCatalogue catalogue;
  private final long rows;

  /** The updates to {@code rows} rows of {@code column}, one of {@link PlanColumns#UPDATED}. */
  PlanUpdates(long seed, int table, int column, ProductCatalogue catalogue, long rows) {
    this.seed = seed;
    this.table = table;
    this.column = column;
    this.catalogue = catalogue;
    this.rows = rows;
  }

  /**
   * What the updates are.
   *
   * @param rowIds ascending and distinct
   * @param values the new value of each
   */
  record Filled(ColumnValues rowIds, ColumnValues values) {}

  /** The updates, filled by the common pool. */
  Filled fill() {
    WholePages rowIds = new WholePages(ColumnType.LONG, rows);
    WholePages values = new WholePages(ColumnType.DOUBLE, rows);
    IntStream.range(0, WholePages.count(rows))
        .parallel()
        .forEach(page -> fillPage((long[]) rowIds.make(page), (double[]) values.make(page), page));
    return new Filled(rowIds.toColumn(), values.toColumn());
  }

  /** The same updates, whose pages are made on demand: row ids once more for their values. */
  Filled onDemand(LongConsumer madeBytes) {
    return new Filled(
        WholePages.onDemand(
            ColumnType.LONG, rows, (ids, page) -> fillRowIds((long[]) ids, page), madeBytes),
        WholePages.onDemand(
            ColumnType.DOUBLE,
            rows,
            (values, page) -> fillValues(rowIdsForValues(page), (double[]) values, page),
            madeBytes));
  }

  private long[] rowIdsForValues(int page) {
    if (column == PlanColumns.QUANTITY) {
      return new long[0];
    }
    long[] rowIds = new long[WholePages.rowsIn(page, rows)];
    fillRowIds(rowIds, page);
    return rowIds;
  }

  private void fillPage(long[] rowIds, double[] values, int page) {
    fillRowIds(rowIds, page);
    fillValues(rowIds, values, page);
  }

  private void fillRowIds(long[] rowIds, int page) {
    RowIdRuns.fill(rowIds, WholePages.rowsIn(page, rows), page, random(ROW_IDS_OFFSET, page));
  }

  private void fillValues(long[] rowIds, double[] values, int page) {
    int count = WholePages.rowsIn(page, rows);
    SplittableRandom random = random(VALUES_OFFSET, page);
    if (column == PlanColumns.QUANTITY) {
      int[] numbers = QUANTITY.numbers(count, random);
      for (int i = 0; i < count; i++) {
        values[i] = numbers[i];
      }
    } else {
      int[] units = UNITS_SOLD.numbers(count, random);
      for (int i = 0; i < count; i++) {
        values[i] = catalogue.revenue(rowIds[i], units[i]);
      }
    }
  }

  private SplittableRandom random(int offset, int page) {
    return PageSeeds.of(seed, table, offset + column, page);
  }
}
