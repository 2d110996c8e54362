package io.drayage.bench.cargo;

import io.drayage.cargo.ColumnValues;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Fills the updated rows of a planning table: which they are, and their new values. */
final class PlanUpdates {
  /** Sets the generators of updates apart from those of the inserts to the same column. */
  private static final int COLUMN_OFFSET = 100;

  private static final int ROW_IDS = COLUMN_OFFSET + PlanColumns.ALL.size();
  private static final byte CONFIRMED = 1;
  private static final byte CANCELLED = 2;

  /** One updated row in this many is cancelled. */
  private static final int CANCELLED_EVERY = 50;

  /** One updated price in this many is a promotion's. */
  private static final int PROMOTION_EVERY = 12;

  private final long seed;
  private final int table;
  private final ProductCatalogue catalogue;
  private final long rows;

  PlanUpdates(long seed, int table, ProductCatalogue catalogue, long rows) {
    this.seed = seed;
    this.table = table;
    this.catalogue = catalogue;
    this.rows = rows;
  }

  /** The updated rows, ascending and distinct, in new arrays; filled by the common pool. */
  ColumnValues rowIds() {
    ColumnValues ids = PlanColumns.allocate(List.of(PlanColumns.ID), rows)[0];
    IntStream.range(0, ids.pageCount())
        .parallel()
        .forEach(
            page ->
                RowIdRuns.fill((long[]) ids.pageForWrite(page), page, 0, random(ROW_IDS, page)));
    return ids;
  }

  /** The new values of {@link PlanColumns#UPDATED}, in that order; filled by the common pool. */
  ColumnValues[] values() {
    ColumnValues[] columns = PlanColumns.allocate(PlanColumns.UPDATED, rows);
    IntStream.range(0, columns[0].pageCount()).parallel().forEach(page -> fillPage(columns, page));
    return columns;
  }

  private void fillPage(ColumnValues[] columns, int page) {
    for (int i = 0; i < columns.length; i++) {
      int column = PlanColumns.UPDATED.get(i);
      SplittableRandom random = random(COLUMN_OFFSET + column, page);
      Object values = columns[i].pageForWrite(page);
      switch (column) {
        case PlanColumns.QUANTITY -> PlanInserts.fillQuantities((int[]) values, random);
        case PlanColumns.PRICE -> fillPrices((double[]) values, random);
        case PlanColumns.STATUS -> fillStatus((byte[]) values, random);
        default -> throw new AssertionError("column %d is not updated".formatted(column));
      }
    }
  }

  private SplittableRandom random(int column, int page) {
    return PageSeeds.of(seed, table, column, page);
  }

  private void fillPrices(double[] prices, SplittableRandom random) {
    for (int i = 0; i < prices.length; i++) {
      prices[i] =
          catalogue.price(ProductCatalogue.pick(random), random.nextInt(PROMOTION_EVERY) == 0);
    }
  }

  private static void fillStatus(byte[] status, SplittableRandom random) {
    for (int i = 0; i < status.length; i++) {
      status[i] = random.nextInt(CANCELLED_EVERY) == 0 ? CANCELLED : CONFIRMED;
    }
  }
}
