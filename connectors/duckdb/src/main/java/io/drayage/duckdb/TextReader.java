package io.drayage.duckdb;

import io.drayage.cargo.ColumnValues;
import io.drayage.duckdb.file.TextTable;
import io.drayage.duckdb.sql.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** The rows of a text file as Arrow batches. */
final class TextReader extends BatchReader {
  private final TextTable.Reading rows;

  /** The caller also closes {@code rows}. */
  TextReader(TextTable table, TextTable.Reading rows, BufferAllocator memory) {
    super(
        table.columns().stream().map(TextTable.Column::name).toList(),
        table.columns().stream()
            .map(column -> Objects.requireNonNull(ValueType.ofName(column.type()), column.type()))
            .toList(),
        memory);
    this.rows = rows;
  }

  @Override
  boolean fillBatch() throws IOException {
    List<FieldVector> vectors = new ArrayList<>(getVectorSchemaRoot().getFieldVectors());
    int filled = rows.fill(vectors, ColumnValues.DEFAULT_ROWS_PER_PAGE);
    getVectorSchemaRoot().setRowCount(filled);
    return filled > 0;
  }
}
