package io.drayage.duckdb;

import io.drayage.arrow.ArrowRows;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.InsertedColumn;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

/** A small table, which is read into memory as a whole. */
final class WholeTable {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private WholeTable() {}

  /** Reads its columns by one query. */
  static List<InsertedColumn> read(
      Sql sql, BufferAllocator memory, Relation table, List<Relation.Column> columns, int rows)
      throws IOException {
    if (columns.isEmpty()) {
      return List.of();
    }
    String projections =
        columns.stream()
            .map(column -> "%s AS %s".formatted(column.projection(), Sql.name(column.name())))
            .collect(Collectors.joining(", "));
    ArrowRows read;
    try (Statement statement = sql.connection().createStatement();
        ResultSet result =
            statement.executeQuery("SELECT %s FROM %s".formatted(projections, table.from()));
        ArrowReader batches =
            (ArrowReader)
                result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, PAGE_ROWS)) {
      read = new ArrowRows(batches.getVectorSchemaRoot().getSchema());
      while (batches.loadNextBatch()) {
        read.append(batches.getVectorSchemaRoot());
      }
    } catch (SQLException e) {
      throw Sql.ownFailure(e);
    }
    if (read.rowCount() != rows) {
      throw new TableException(
          "the imported data has changed: %s, and then %s"
              .formatted(Counted.of(rows, "row"), Counted.of(read.rowCount(), "row")));
    }
    List<InsertedColumn> inserted = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      try {
        InsertedColumn column = read.column(i);
        requireInRange(table, columns.get(i), column.values());
        inserted.add(column);
      } catch (IllegalTextException e) {
        String where = table.describe(columns.get(i));
        throw new TableException(e.in(where, 1).getMessage(), e);
      }
    }
    return inserted;
  }

  private static void requireInRange(Relation table, Relation.Column column, ColumnValues values)
      throws TableException {
    long first = 0;
    for (int page = 0; page < values.pageCount(); page++) {
      int rows = values.rowsInPage(page);
      table.requireInRange(column, values.page(page), rows, first, values.validity());
      first += rows;
    }
  }
}
