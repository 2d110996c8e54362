package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches of the rows that are inserted into a table, for all code that reads from an {@link
 * ArrowReader}, such as a writer of a stream or a file, or Arrow's C data interface. Each value is
 * copied once, into vectors that the reader owns and closes. Each batch has new buffers, so that
 * the buffers of the last batch may be transferred. Not thread-safe.
 */
public class ArrowBatches extends ArrowReader {
  private static final int BATCH_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final List<InsertedColumn> columns;
  private final Schema schema;
  private final long rowCount;
  private long row;

  /** Creates batches whose fields have the types of the columns. */
  public ArrowBatches(List<InsertedColumn> columns, BufferAllocator memory) {
    this(
        columns,
        new Schema(
            columns.stream()
                .map(column -> ArrowColumns.field(column.column(), column.values()))
                .toList()),
        memory);
  }

  /**
   * Creates batches with the caller's fields, such as a date for days in a column of ints.
   *
   * @param columns with equal numbers of rows
   * @param schema a field for each column
   * @throws IllegalArgumentException if a field does not suit its column, with its name
   */
  public ArrowBatches(List<InsertedColumn> columns, Schema schema, BufferAllocator memory) {
    super(memory);
    if (schema.getFields().size() != columns.size()) {
      throw new IllegalArgumentException(
          format("%,d fields for %,d columns", schema.getFields().size(), columns.size()));
    }
    for (int i = 0; i < columns.size(); i++) {
      ArrowColumns.requireType(schema.getFields().get(i), columns.get(i).values().type());
    }
    this.columns = List.copyOf(columns);
    this.schema = schema;
    this.rowCount = columns.isEmpty() ? 0 : columns.get(0).values().rowCount();
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }

  /**
   * Copies the next {@value #BATCH_ROWS} rows, or the remaining ones.
   *
   * @return whether there were any
   * @throws IllegalArgumentException if the texts of a batch have more than 2 GiB, with the
   *     column's name
   */
  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    int rows = (int) Math.min(BATCH_ROWS, rowCount - row);
    VectorSchemaRoot root = getVectorSchemaRoot();
    for (int i = 0; i < columns.size() && rows > 0; i++) {
      ArrowColumns.fill(root.getVector(i), columns.get(i).values(), row, rows);
    }
    root.setRowCount(rows);
    row += rows;
    return rows > 0;
  }

  @Override
  public long bytesRead() {
    return 0; // The rows come only from memory.
  }

  @Override
  protected void closeReadSource() {}
}
