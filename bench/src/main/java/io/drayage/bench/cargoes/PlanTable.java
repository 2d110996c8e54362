package io.drayage.bench.cargoes;

import io.drayage.bench.cargoes.PlanColumn.PageRows;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.store.column.TableSchema;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/**
 * How many rows of one planning table a cargo inserts and updates, and those changes. Rows go store
 * by store, product by product, week by week. In an updated row one column changes: in every other
 * row the first of {@link PlanColumn#UPDATED}, in the rest the second.
 *
 * @param number sets the table's random values apart from those of other tables
 */
record PlanTable(int number, String name, long insertedRows, long updatedRows) {
  /**
   * The table's older rows, which are not updated: 20,000 products and 52 weeks in 800 stores, for
   * five years. Every id is then between 2^32 and 2^34 in a cargo of up to 100 GB, so that the
   * variable length in which Kryo (5 bytes) and MessagePack (9) write it does not depend on the
   * size, as in the study's figures.
   */
  static final long FIRST_UPDATED_ROW = 4_300_000_000L;

  /** Updated rows come in runs of 1 to this many... */
  private static final int MAX_RUN = 200;

  /** ...with gaps of as many, as when the plans of whole groups of products are revised. */
  private static final int MAX_GAP = 200;

  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** Makes a column of pages: all at once, or on demand. */
  @FunctionalInterface
  interface ColumnMaker {
    ColumnValues make(ColumnType type, long rows, WholePages.Filler filler);
  }

  /** A table with that many changes, half of them inserts, and of the rest one more. */
  static PlanTable ofChanges(int number, String name, long changes) {
    return new PlanTable(number, name, changes / 2, changes - changes / 2);
  }

  long changes() {
    return insertedRows + updatedRows;
  }

  long rawBytes() {
    return insertedRows * PlanColumn.INSERTED_ROW_BYTES + updatedRows * 2 * Long.BYTES;
  }

  long heapBytes() {
    long bytes = 0;
    for (PlanColumn column : PlanColumn.INSERTED) {
      bytes += WholePages.heapBytes(column.schema().type(), insertedRows);
    }
    for (int i = 0; i < PlanColumn.UPDATED.size(); i++) {
      bytes += 2 * WholePages.heapBytes(ColumnType.LONG, updatedRows(i));
    }
    return bytes;
  }

  /** Rows in which column {@code i} of {@link PlanColumn#UPDATED} changes. */
  private long updatedRows(int i) {
    int columns = PlanColumn.UPDATED.size();
    return (updatedRows + columns - 1 - i) / columns;
  }

  BaseTable baseTable() {
    TableSchema schema =
        new TableSchema(name, PlanColumn.INSERTED.stream().map(PlanColumn::schema).toList());
    return new BaseTable(schema, FIRST_UPDATED_ROW + rangeOf(updatedRows(0)));
  }

  /** Adds the table's changes to the cargo. */
  void addTo(ChangeCargo.Builder cargo, long seed, ProductCatalogue catalogue, ColumnMaker maker) {
    Pages pages = new Pages(seed, number, catalogue);
    cargo.table(
        name,
        changes -> {
          for (PlanColumn column : PlanColumn.INSERTED) {
            changes.insert(
                column.schema().name(),
                maker.make(
                    column.schema().type(),
                    insertedRows,
                    (values, page) -> pages.fillInserted(column, values, page, insertedRows)));
          }
          for (int i = 0; i < PlanColumn.UPDATED.size(); i++) {
            PlanColumn column = PlanColumn.UPDATED.get(i);
            long rows = updatedRows(i);
            changes.update(
                column.schema().name(),
                maker.make(
                    ColumnType.LONG,
                    rows,
                    (ids, page) -> pages.fillRowIds(column, (long[]) ids, page, rows)),
                maker.make(
                    ColumnType.DOUBLE,
                    rows,
                    (values, page) -> pages.fillUpdated(column, values, page, rows)));
          }
        });
  }

  /** Rows in which {@code count} updated ids fit: those, and as many for the gaps. */
  private static long rangeOf(long count) {
    return 2 * count;
  }

  /** Fills pages; what one holds depends on seed, table, column and page only. Thread-safe. */
  private record Pages(long seed, int table, ProductCatalogue catalogue) {
    void fillInserted(PlanColumn column, Object values, int page, long rows) {
      long first = (long) page * ROWS_PER_PAGE;
      fill(column, values, page, at -> first + at, WholePages.rowsIn(page, rows));
    }

    /** The row ids are made once more: a page of values may be asked for without its ids. */
    void fillUpdated(PlanColumn column, Object values, int page, long rows) {
      long[] ids = new long[WholePages.rowsIn(page, rows)];
      fillRowIds(column, ids, page, rows);
      fill(column, values, page, at -> ids[at], ids.length);
    }

    private void fill(
        PlanColumn column, Object values, int page, IntToLongFunction row, int count) {
      SplittableRandom random = PageSeeds.of(seed, table, column.number(), page);
      WholePages.set(
          values, count, column.values().apply(new PageRows(row, count, random, catalogue)));
    }

    /**
     * Distinct and ascending, every other row on average. Each page of ids has a range twice as
     * large as the page, so that pages can be filled in any order and never overlap.
     */
    void fillRowIds(PlanColumn column, long[] ids, int page, long rows) {
      SplittableRandom random = PageSeeds.of(seed, table, column.rowIdsNumber(), page);
      int count = WholePages.rowsIn(page, rows);
      long id = FIRST_UPDATED_ROW + page * rangeOf(ROWS_PER_PAGE);
      int spare = count;
      int row = 0;
      while (row < count) {
        int end = Math.min(count, row + 1 + random.nextInt(MAX_RUN));
        while (row < end) {
          ids[row++] = id++;
        }
        int gap = Math.min(spare, 1 + random.nextInt(MAX_GAP));
        spare -= gap;
        id += gap;
      }
    }
  }
}
