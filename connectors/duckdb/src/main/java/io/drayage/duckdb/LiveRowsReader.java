package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TypesTable;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedWidthVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The inserted rows of a table as Arrow batches, with the kept types of the columns. */
final class LiveRowsReader extends BatchReader {
  private static final int BATCH_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final TableChanges table;
  private long row;

  /**
   * Reads all rows.
   *
   * @throws TableException if a column cannot have its kept type
   */
  LiveRowsReader(TableChanges table, KeptTypes kept, BufferAllocator memory) throws TableException {
    super(
        table.insertedColumns().stream().map(InsertedColumn::column).toList(),
        types(table, kept),
        memory);
    this.table = table;
  }

  /**
   * Reads all rows of a table with SQL.
   *
   * @throws TableException if a value does not fit the type of its column, with its row
   */
  static void read(
      TableChanges table, KeptTypes kept, Sql sql, BufferAllocator memory, Staging.StreamUse use)
      throws IOException {
    Staging staging = new Staging(sql, memory);
    try (LiveRowsReader rows = new LiveRowsReader(table, kept, memory)) {
      staging.withRows(rows, use);
    } catch (TableException e) {
      for (InsertedColumn column : table.insertedColumns()) {
        ValueType type = kept.of(table.table(), column);
        if (type.isKept() && type.type() == ColumnType.STRING) {
          requireFits(table, column, type, sql, staging, memory, e);
        }
      }
      throw e;
    }
  }

  /** Finds the column and the row of a text that does not fit: DuckDB does not report them. */
  private static void requireFits(
      TableChanges table,
      InsertedColumn column,
      ValueType type,
      Sql sql,
      Staging staging,
      BufferAllocator memory,
      TableException failed)
      throws TableException {
    ChangeCargo texts =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table(table.table(), alone -> alone.insert(column.column(), column.values()))
            .build();
    List<List<String>> misfits = new ArrayList<>();
    try (LiveRowsReader rows =
        new LiveRowsReader(texts.tables().get(0), KeptTypes.of(texts), memory)) {
      staging.withRows(
          rows,
          select ->
              misfits.addAll(
                  sql.rows(
                      "SELECT n, v FROM (SELECT row_number() OVER (), * FROM (%s)) AS r(n, v) WHERE v IS NOT NULL AND TRY_CAST(v AS %s) IS NULL ORDER BY n LIMIT 1"
                          .formatted(select, type.name()))));
    } catch (IOException e) {
      failed.addSuppressed(e);
    }
    for (List<String> misfit : misfits) {
      String shown = "'%s'".formatted(Sql.shown(misfit.get(1)));
      throw misfit(table, Long.parseLong(misfit.get(0)), column.column(), shown, type);
    }
  }

  private static TableException misfit(
      TableChanges table, long row, String column, String value, ValueType type) {
    return new TableException(
        format("table '%s', row %,d, column '%s': ", table.table(), row, column)
            + "%s is no %s, as table '%s' says".formatted(value, type.name(), TypesTable.NAME));
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

  /** Checks values, because DuckDB accepts some that its type cannot hold. */
  private void requireInRange(ValueType type, FieldVector vector, int rows) throws TableException {
    if (!type.isBounded()) {
      return;
    }
    int width = ((FixedWidthVector) vector).getTypeWidth();
    for (int i = 0; i < rows; i++) {
      long at = (long) i * width;
      long value =
          switch (width) {
            case Short.BYTES -> vector.getDataBuffer().getShort(at);
            case Integer.BYTES -> vector.getDataBuffer().getInt(at);
            default -> vector.getDataBuffer().getLong(at);
          };
      if (!type.has(value) && !vector.isNull(i)) {
        throw misfit(table, row + i + 1, vector.getName(), "" + value, type);
      }
    }
  }
}
