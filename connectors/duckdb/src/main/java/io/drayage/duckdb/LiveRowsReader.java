package io.drayage.duckdb;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedWidthVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The inserted rows of a table as Arrow batches, with the types that the columns have. */
final class LiveRowsReader extends BatchReader {
  private static final int BATCH_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final TableChanges table;
  private long row;

  /**
   * Reads all of them.
   *
   * @throws TableException if the kept type of a column is none that it can have
   */
  LiveRowsReader(TableChanges table, KeptTypes kept, BufferAllocator memory) throws TableException {
    super(
        table.insertedColumns().stream().map(InsertedColumn::column).toList(),
        types(table, kept),
        memory);
    this.table = table;
  }

  private static List<ValueType> types(TableChanges table, KeptTypes kept) throws TableException {
    List<ValueType> types = new ArrayList<>();
    for (InsertedColumn column : table.insertedColumns()) {
      types.add(kept.of(table.table(), column));
    }
    return types;
  }

  @Override
  boolean fillBatch() throws IOException {
    List<InsertedColumn> columns = table.insertedColumns();
    long rowCount = columns.isEmpty() ? 0 : columns.get(0).values().rowCount();
    int rows = (int) Math.min(BATCH_ROWS, rowCount - row);
    VectorSchemaRoot root = getVectorSchemaRoot();
    try {
      for (int i = 0; i < columns.size() && rows > 0; i++) {
        ArrowColumns.fill(root.getVector(i), columns.get(i).values(), row, rows);
        requireInRange(types().get(i), root.getVector(i), rows);
      }
    } catch (IllegalArgumentException e) {
      throw new TableException("table '%s', %s".formatted(table.table(), e.getMessage()), e);
    }
    root.setRowCount(rows);
    row += rows;
    return rows > 0;
  }

  /** DuckDB takes values as they come, also those that its type cannot have. */
  private void requireInRange(ValueType type, FieldVector vector, int rows) throws TableException {
    if (type.minValue() == Long.MIN_VALUE && type.maxValue() == Long.MAX_VALUE) {
      return;
    }
    int width = ((FixedWidthVector) vector).getTypeWidth();
    for (int i = 0; i < rows; i++) {
      long at = (long) i * width;
      long value =
          width == Integer.BYTES
              ? vector.getDataBuffer().getInt(at)
              : vector.getDataBuffer().getLong(at);
      if ((value < type.minValue() || value > type.maxValue()) && !vector.isNull(i)) {
        throw new TableException(
            String.format(
                Locale.ROOT,
                "table '%s', row %d, column '%s': %d is no %s, as table '%s' says",
                table.table(),
                row + i,
                vector.getName(),
                value,
                type.name(),
                KeptTypes.TABLE));
      }
    }
  }
}
