package io.drayage.spark.read;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LogPosition;
import io.drayage.replica.TableLog;
import io.drayage.replica.TableLogReader;
import io.drayage.store.column.CellReader;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The rows of consecutive changes of a table. Inserted rows are read from their pages. Deleted and
 * updated rows are copied, up to a page of them at a time. Not thread-safe.
 */
final class ChangeBatches implements PartitionReader<ColumnarBatch> {
  private static final Set<String> OF_CHANGES =
      Set.of(TableChangelog.TYPE, TableChangelog.VERSION, TableChangelog.TIMESTAMP);

  private final ChangesReaderFactory factory;
  private final ColumnCache cache;

  /** Null for rows of a snapshot. */
  private final @Nullable TableLogReader log;

  private final Set<String> ofChange;

  /** The columns of a batch without those of the change. */
  private final StructType ofTable;

  /** The rest of the change that is read. */
  private final Queue<Rows> rest = new ArrayDeque<>();

  private @Nullable LogPosition read;
  private @Nullable Rows rows;
  private @Nullable ColumnBatches batches;
  private @Nullable ColumnarBatch batch;

  /** Rows of a change with one type. */
  private record Rows(
      long version, long createdMicros, String type, Supplier<ColumnBatches> batches) {}

  /**
   * @param cache gets the table after the last change, if it was needed
   * @param log closed by this object
   */
  ChangeBatches(ChangesReaderFactory factory, ColumnCache cache, @Nullable TableLogReader log) {
    this.factory = factory;
    this.cache = cache;
    this.log = log;
    this.ofChange = factory.rows() == ChangesReaderFactory.Rows.APPENDED ? Set.of() : OF_CHANGES;
    StructType stored = new StructType();
    for (StructField field : factory.columns().fields()) {
      stored = ofChange.contains(field.name()) ? stored : stored.add(field);
    }
    this.ofTable = stored;
  }

  /** Rows of a snapshot, as the changes that have made them. */
  ChangeBatches(ChangesReaderFactory factory, ColumnCache cache, SnapshotPart part)
      throws IOException {
    this(factory, cache, (TableLogReader) null);
    StoredTable table = cache.get(factory.table(), factory.loaded(), part.snapshot());
    long firstRow = part.rows().firstRow(table.rowCount(), null);
    long endRow = part.rows().endRow(table.rowCount(), null);
    rest.add(
        new Rows(
            part.snapshot().timestamp(),
            part.createdMicros(),
            Changelog.CHANGE_TYPE_INSERT,
            () -> new ColumnBatches(table, ofTable, firstRow, endRow, null)));
  }

  @Override
  public boolean next() {
    try {
      while (batches == null || !batches.next()) {
        if (rest.isEmpty() && !addNext()) {
          keepTable();
          return false;
        }
        rows = rest.remove();
        batches = rows.batches.get();
      }
    } catch (IOException e) {
      throw factory.failed(e);
    }
    batch = withChange(batches.get());
    return true;
  }

  private boolean addNext() throws IOException {
    TableLogReader.ChangedRows next = log == null ? null : log.next();
    if (next == null) {
      return false;
    }
    read = next.change().entry();
    boolean images = factory.rows() == ChangesReaderFactory.Rows.UPDATED;
    String before = images ? Changelog.CHANGE_TYPE_UPDATE_PREIMAGE : Changelog.CHANGE_TYPE_DELETE;
    String after = images ? Changelog.CHANGE_TYPE_UPDATE_POSTIMAGE : Changelog.CHANGE_TYPE_INSERT;
    add(next.change(), Changelog.CHANGE_TYPE_DELETE, next.before(), next.deleted());
    add(next.change(), before, next.before(), next.updated());
    add(next.change(), after, next.after(), next.updated());
    rest.add(
        new Rows(
            next.change().entry().timestamp(),
            next.change().createdMicros(),
            Changelog.CHANGE_TYPE_INSERT,
            () ->
                new ColumnBatches(
                    next.after(),
                    ofTable,
                    next.before().rowCount(),
                    next.after().rowCount(),
                    null)));
    return true;
  }

  /** Adds rows of a snapshot, a page of their numbers at a time. */
  private void add(TableLog.Change change, String type, StoredTable of, ColumnValues numbers) {
    for (int p = 0; p < numbers.pageCount(); p++) {
      ColumnValues some =
          ColumnValues.of(new long[][] {(long[]) numbers.page(p)}, numbers.rowsInPage(p), null);
      rest.add(
          new Rows(
              change.entry().timestamp(), change.createdMicros(), type, () -> copied(of, some)));
    }
  }

  private ColumnBatches copied(StoredTable from, ColumnValues numbers) {
    List<StoredColumn> cells = new ArrayList<>();
    cells.add(cells(new ColumnSchema(factory.rowColumn(), ColumnType.LONG, false), numbers));
    for (StructField field : ofTable.fields()) {
      if (!field.name().equals(factory.rowColumn())) {
        StoredColumn column = from.column(field.name());
        cells.add(cells(column.schema(), new CellReader(column).read(numbers)));
      }
    }
    TableSchema schema =
        new TableSchema(factory.table(), cells.stream().map(StoredColumn::schema).toList());
    StoredTable table = new StoredTable(schema, numbers.rowCount(), DeletedRows.NONE, cells);
    return new ColumnBatches(table, ofTable, 0, numbers.rowCount(), null);
  }

  private static StoredColumn cells(ColumnSchema schema, ColumnValues values) {
    return new StoredColumn(schema, List.of(Extent.adopt(values, 0)));
  }

  private ColumnarBatch withChange(ColumnarBatch stored) {
    StructField[] fields = factory.columns().fields();
    ColumnVector[] vectors = new ColumnVector[fields.length];
    int next = 0;
    for (int i = 0; i < fields.length; i++) {
      vectors[i] =
          ofChange.contains(fields[i].name())
              ? ofChange(fields[i], stored.numRows())
              : stored.column(next++);
    }
    return new ColumnarBatch(vectors, stored.numRows());
  }

  private ColumnVector ofChange(StructField field, int count) {
    Rows of = rows;
    if (of == null) {
      throw new IllegalStateException("there are no rows");
    }
    ConstantColumnVector vector = new ConstantColumnVector(count, field.dataType());
    if (field.name().equals(TableChangelog.TYPE)) {
      vector.setUtf8String(UTF8String.fromString(of.type));
    } else if (field.name().equals(TableChangelog.VERSION)) {
      vector.setLong(of.version);
    } else {
      vector.setLong(of.createdMicros);
    }
    return vector;
  }

  /** Keeps the table for the changes that follow. */
  private void keepTable() {
    StoredTable table = log == null ? null : log.current();
    LogPosition at = read;
    if (table != null && at != null) {
      cache.put(table, at);
    }
  }

  @Override
  public ColumnarBatch get() {
    if (batch == null) {
      throw new IllegalStateException("there is no batch");
    }
    return batch;
  }

  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }
}
