package io.drayage.spark.read;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import io.drayage.store.column.PageSlice;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive rows of a table, without deleted ones. The rows of a batch are in one page of each
 * column, and in one run of each column of texts. Not thread-safe.
 */
final class ColumnBatches implements PartitionReader<ColumnarBatch> {
  private static final long PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** The value of each type for rows that were never written. */
  private static final Map<ColumnType, Object> DEFAULTS = new EnumMap<>(ColumnType.class);

  static {
    for (ColumnType type : ColumnType.values()) {
      if (type.isFixedWidth()) {
        DEFAULTS.put(type, type.newPage(ColumnValues.DEFAULT_ROWS_PER_PAGE));
      }
    }
  }

  private final StoredTable table;
  private final List<StoredColumn> columns;
  private final List<DataType> types;

  /** The index of the row numbers in a batch; -1 for none. */
  private final int numbersAt;

  private final @Nullable BitSet pages;
  private final CustomTaskMetric[] metrics;
  private final long endRow;
  private long row;
  private @Nullable ColumnarBatch batch;

  /**
   * @param table has the columns
   * @param batch the columns of a batch in their order; a column that the table does not have is
   *     the number of the row
   * @param firstRow of the table, including deleted ones
   * @param endRow the row after the last
   * @param pages the pages that are read, all others are skipped; null for all
   * @param metrics of the task
   */
  ColumnBatches(
      StoredTable table,
      StructType batch,
      long firstRow,
      long endRow,
      @Nullable BitSet pages,
      CustomTaskMetric... metrics) {
    this.table = table;
    this.pages = pages;
    this.metrics = metrics;
    List<StructField> stored = new ArrayList<>(List.of(batch.fields()));
    stored.removeIf(field -> table.schema().indexOf(field.name()) < 0);
    this.columns = stored.stream().map(field -> table.column(field.name())).toList();
    this.types = stored.stream().map(StructField::dataType).toList();
    this.numbersAt =
        IntStream.range(0, batch.size())
            .filter(i -> table.schema().indexOf(batch.apply(i).name()) < 0)
            .findFirst()
            .orElse(-1);
    this.row = firstRow;
    this.endRow = endRow;
  }

  @Override
  public boolean next() {
    batch = null;
    row = selectedFrom(row);
    while (batch == null && row < endRow) {
      batch = read();
      row = batch == null ? selectedFrom(row) : row;
    }
    return batch != null;
  }

  /** Returns the next row from a row on that is in a page to read; the end if there is none. */
  private long selectedFrom(long from) {
    if (pages == null) {
      return from;
    }
    int page = (int) (from / PAGE_ROWS);
    int next = pages.nextSetBit(page);
    return next < 0 ? endRow : Math.min(endRow, Math.max(from, next * PAGE_ROWS));
  }

  /** Returns the number of rows from {@link #row} on that are in pages to read. */
  private long selectedRows() {
    return pages == null
        ? endRow - row
        : Math.min(endRow, pages.nextClearBit((int) (row / PAGE_ROWS)) * PAGE_ROWS) - row;
  }

  /** Reads the next rows; null if all of them are deleted. */
  private @Nullable ColumnarBatch read() {
    int rows = (int) Math.min(selectedRows(), PAGE_ROWS);
    List<PageSlice> slices = new ArrayList<>();
    List<@Nullable TextRun> runs = new ArrayList<>();
    for (StoredColumn column : columns) {
      PageSlice slice = column.slice(row);
      TextRun run = column.schema().type() == ColumnType.STRING ? firstRun(slice) : null;
      slices.add(slice);
      runs.add(run);
      rows = Math.min(rows, run == null ? slice.rows() : run.rows());
    }
    int[] live = live(rows);
    ColumnarBatch read = live != null && live.length == 0 ? null : batch(slices, runs, rows, live);
    row += rows;
    return read;
  }

  private static TextRun firstRun(PageSlice slice) {
    Object page = slice.page();
    return page == null
        ? new TextPage(slice.rows()).runs(0, slice.rows()).get(0)
        : ((TextPage) page).runs(slice.offset(), slice.rows()).get(0);
  }

  private ColumnarBatch batch(
      List<PageSlice> slices, List<@Nullable TextRun> runs, int rows, int @Nullable [] live) {
    List<ColumnVector> vectors = new ArrayList<>();
    for (int i = 0; i < slices.size(); i++) {
      TextRun run = runs.get(i);
      ColumnVector all =
          run == null
              ? PageVector.of(types.get(i), slices.get(i), page(i, slices.get(i)))
              : PageVector.of(types.get(i), slices.get(i), run);
      vectors.add(live == null ? all : new SelectedVector(all, live));
    }
    int count = live == null ? rows : live.length;
    if (numbersAt >= 0) {
      vectors.add(numbersAt, numbers(count, live));
    }
    return new ColumnarBatch(vectors.toArray(ColumnVector[]::new), count);
  }

  private ColumnVector numbers(int count, int @Nullable [] live) {
    OnHeapColumnVector numbers = new OnHeapColumnVector(count, DataTypes.LongType);
    for (int i = 0; i < count; i++) {
      numbers.putLong(i, row + (live == null ? i : live[i]));
    }
    return numbers;
  }

  private Object page(int column, PageSlice slice) {
    Object page = slice.page();
    if (page != null) {
      return page;
    }
    ColumnType type = columns.get(column).schema().type();
    int needed = slice.offset() + slice.rows();
    Object defaults = DEFAULTS.get(type);
    return defaults == null || ColumnType.rowsOf(defaults) < needed
        ? type.newPage(needed)
        : defaults;
  }

  /** Returns the next rows that are not deleted; null for all of them. */
  private int @Nullable [] live(int rows) {
    if (table.deleted().count() == 0) {
      return null;
    }
    int[] live = new int[rows];
    int count = 0;
    for (int i = 0; i < rows; i++) {
      live[count] = i;
      count += table.deleted().get(row + i) ? 0 : 1;
    }
    return count == rows ? null : Arrays.copyOf(live, count);
  }

  @Override
  public ColumnarBatch get() {
    if (batch == null) {
      throw new IllegalStateException("there is no batch");
    }
    return batch;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return metrics.clone();
  }

  @Override
  public void close() {}
}
