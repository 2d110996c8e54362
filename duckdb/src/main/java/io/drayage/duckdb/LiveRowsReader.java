package io.drayage.duckdb;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The inserted rows of a table as Arrow batches, with the types that the columns have. */
final class LiveRowsReader extends BatchReader {
  private static final int BATCH_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final TableChanges table;
  private long row;

  LiveRowsReader(TableChanges table, KeptTypes kept, BufferAllocator memory) {
    super(
        table.insertedColumns().stream().map(InsertedColumn::column).toList(),
        table.insertedColumns().stream().map(column -> kept.of(table.table(), column)).toList(),
        memory);
    this.table = table;
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
      }
    } catch (IllegalArgumentException e) {
      throw new TableException("table '%s', %s".formatted(table.table(), e.getMessage()), e);
    }
    root.setRowCount(rows);
    row += rows;
    return rows > 0;
  }
}
