package io.drayage.bench.cargoes;

import io.drayage.bench.cargoes.PlanColumn.PageRows;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.lang.reflect.Array;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/**
 * The numbers of inserted and updated rows of one planning table in a cargo, and these changes.
 * Rows are ordered by store, product and week. In an updated row one column changes: in every other
 * row the first of {@link PlanColumn#UPDATED}, in the rest the second.
 *
 * @param number makes the table's random values different from those of other tables
 */
record PlanTable(int number, String name, long insertedRows, long updatedRows) {
  /**
   * The table's older rows, which are not updated: 20,000 products and 52 weeks in 800 stores, for
   * five years. Every id is then between 2^32 and 2^34 in a cargo of up to 100 GB. So its variable
   * length in Kryo (5 bytes) and MessagePack (9) does not depend on the size, as in the study's
   * figures.
   */
  static final long FIRST_UPDATED_ROW = 4_300_000_000L;

  /** Most rows of a run of updated rows; the least is 1. */
  private static final int MAX_RUN = 200;

  /** Most rows of a gap between runs, as if the plans of whole groups of products were revised. */
  private static final int MAX_GAP = 200;

  static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** Makes a column of its pages: all at once, or on demand. */
  interface ColumnMaker {
    ColumnValues make(ColumnType type, long rows, PageSource pages);
  }

  /** Makes a table with this many changes: half inserts; if odd, one more update. */
  static PlanTable ofChanges(int number, String name, long changes) {
    return new PlanTable(number, name, changes / 2, changes - changes / 2);
  }

  long changes() {
    return insertedRows + updatedRows;
  }

  long rawBytes() {
    return insertedRows * PlanColumn.INSERTED_ROW_BYTES + updatedRows * 2 * Long.BYTES;
  }

  /** Heap of whole pages: the last page of a column has spare room behind its rows. */
  long heapBytes() {
    long bytes = pages(insertedRows) * ROWS_PER_PAGE * PlanColumn.INSERTED_ROW_BYTES;
    for (int i = 0; i < PlanColumn.UPDATED.size(); i++) {
      bytes += 2 * pages(updatedRows(i)) * ROWS_PER_PAGE * Long.BYTES;
    }
    return bytes;
  }

  /** Number of pages of a column. */
  static long pages(long rows) {
    return (rows + ROWS_PER_PAGE - 1) / ROWS_PER_PAGE;
  }

  static int rowsIn(int page, long rows) {
    return (int) Math.min(ROWS_PER_PAGE, rows - (long) page * ROWS_PER_PAGE);
  }

  /** Number of rows in which column {@code i} of {@link PlanColumn#UPDATED} changes. */
  private long updatedRows(int i) {
    int columns = PlanColumn.UPDATED.size();
    return (updatedRows + columns - 1 - i) / columns;
  }

  InitialTable baseTable() {
    TableSchema schema =
        new TableSchema(name, PlanColumn.INSERTED.stream().map(PlanColumn::schema).toList());
    return new InitialTable(schema, FIRST_UPDATED_ROW + rangeOf(updatedRows(0)));
  }

  /** Adds the table's changes. A page depends on seed, table, column and page only. */
  void addTo(ChangeCargo.Builder cargo, long seed, ProductCatalogue catalogue, ColumnMaker maker) {
    cargo.table(
        name,
        changes -> {
          for (PlanColumn column : PlanColumn.INSERTED) {
            PageSource values =
                page -> {
                  long first = (long) page * ROWS_PER_PAGE;
                  int count = rowsIn(page, insertedRows);
                  return values(seed, catalogue, column, page, count, at -> first + at);
                };
            changes.insert(
                column.schema().name(), maker.make(column.schema().type(), insertedRows, values));
          }
          for (int i = 0; i < PlanColumn.UPDATED.size(); i++) {
            PlanColumn column = PlanColumn.UPDATED.get(i);
            long rows = updatedRows(i);
            PageSource rowIds = page -> rowIds(seed, column, page, rowsIn(page, rows));
            // The row ids are made again, because a page of values may be read without its ids.
            PageSource values =
                page -> {
                  long[] ids = (long[]) rowIds.page(page);
                  return values(seed, catalogue, column, page, rowsIn(page, rows), at -> ids[at]);
                };
            changes.update(
                column.schema().name(),
                maker.make(ColumnType.LONG, rows, rowIds),
                maker.make(ColumnType.DOUBLE, rows, values));
          }
        });
  }

  private Object values(
      long seed,
      ProductCatalogue catalogue,
      PlanColumn column,
      int page,
      int count,
      IntToLongFunction row) {
    SplittableRandom random = PageSeeds.of(seed, number, column.number(), page);
    return page(
        column.schema().type(),
        count,
        column.values().apply(new PageRows(row, count, random, catalogue)));
  }

  /** Makes a whole page with these values, which fit its type, in the first {@code count} rows. */
  private static Object page(ColumnType type, int count, IntToDoubleFunction values) {
    Object page = Array.newInstance(type.pageClass().getComponentType(), ROWS_PER_PAGE);
    if (page instanceof double[] doubles) {
      for (int at = 0; at < count; at++) {
        doubles[at] = values.applyAsDouble(at);
      }
    } else if (page instanceof long[] longs) {
      for (int at = 0; at < count; at++) {
        longs[at] = (long) values.applyAsDouble(at);
      }
    } else if (page instanceof int[] ints) {
      for (int at = 0; at < count; at++) {
        ints[at] = (int) values.applyAsDouble(at);
      }
    } else if (page instanceof short[] shorts) {
      for (int at = 0; at < count; at++) {
        shorts[at] = (short) values.applyAsDouble(at);
      }
    } else {
      byte[] bytes = (byte[]) page;
      for (int at = 0; at < count; at++) {
        bytes[at] = (byte) values.applyAsDouble(at);
      }
    }
    return page;
  }

  /** Returns the rows for {@code count} updated ids, and as many for the gaps. */
  private static long rangeOf(long count) {
    return 2 * count;
  }

  /**
   * Makes distinct, ascending row ids, every other row on average. Each page of ids has a range
   * twice as large as the page, so that pages can be filled in any order and never overlap.
   */
  private long[] rowIds(long seed, PlanColumn column, int page, int count) {
    SplittableRandom random = PageSeeds.of(seed, number, column.rowIdsNumber(), page);
    long[] ids = new long[ROWS_PER_PAGE];
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
    return ids;
  }
}
