package io.drayage.duckdb;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

/** A small table, all of it in memory. */
final class WholeTable {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private WholeTable() {}

  /** Its columns, by one query. */
  static List<InsertedColumn> read(
      Sql sql, BufferAllocator memory, String from, List<Relation.Column> columns, int rows)
      throws IOException {
    List<ColumnValues> values = new ArrayList<>();
    List<RowBits> validities = new ArrayList<>();
    for (Relation.Column column : columns) {
      values.add(ColumnValues.allocate(column.type().type(), rows, false));
      validities.add(RowBits.allSet(rows));
    }
    if (!columns.isEmpty()) {
      String projections =
          columns.stream().map(Relation.Column::projection).collect(Collectors.joining(", "));
      try (Statement statement = sql.connection().createStatement();
          ResultSet result =
              statement.executeQuery("SELECT %s FROM %s".formatted(projections, from));
          ArrowReader batches =
              (ArrowReader)
                  result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, PAGE_ROWS)) {
        int row = 0;
        while (batches.loadNextBatch()) {
          int count = batches.getVectorSchemaRoot().getRowCount();
          for (int i = 0; i < columns.size(); i++) {
            FieldVector vector = batches.getVectorSchemaRoot().getVector(i);
            copy(vector, values.get(i), row, count);
            VectorReader.copyNulls(vector, 0, validities.get(i), row, count);
          }
          row += count;
        }
        if (row != rows) {
          throw new TableException(
              "what is imported has changed: %,d rows were %,d".formatted(row, rows));
        }
      } catch (SQLException e) {
        throw Sql.failure(e);
      }
    }
    List<InsertedColumn> inserted = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      inserted.add(
          new InsertedColumn(columns.get(i).name(), withNulls(values.get(i), validities.get(i))));
    }
    return inserted;
  }

  private static void copy(FieldVector vector, ColumnValues values, int row, int count) {
    int from = 0;
    while (from < count) {
      int offset = values.offsetOf(row + from);
      Object page = values.pageForWrite(values.pageOf(row + from));
      int taken = Math.min(count - from, PAGE_ROWS - offset);
      VectorReader.copy(vector, from, page, offset, taken);
      VectorReader.zeroNulls(vector, from, page, offset, taken);
      from += taken;
    }
  }

  private static ColumnValues withNulls(ColumnValues values, RowBits validity) {
    ColumnType type = values.type();
    if (!type.isFixedWidth() || validity.cardinality() == validity.size()) {
      return values;
    }
    return ColumnValues.onDemand(type, values.rowCount(), PAGE_ROWS, values::page, validity);
  }
}
