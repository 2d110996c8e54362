package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.duckdb.file.ParquetPages;
import io.drayage.duckdb.file.RawParquet;
import io.drayage.duckdb.file.RawParquet.Column;
import io.drayage.duckdb.file.RawParquet.Limits;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;

/** Checks bytes in Parquet that DuckDB would change without an error. Not thread-safe. */
final class RawValues {
  private static final long NANOS_OF_DAY = 86_400_000_000_000L;
  private static final int NANOS_OF_MICRO = 1_000;

  /** The Julian day of 1970-01-01. */
  private static final int EPOCH = 2_440_588;

  /** The most days since 1970 whose microseconds fit into 64 bits at any time of the day. */
  private static final int MAX_MICRO_DAYS = (int) (Long.MAX_VALUE / (NANOS_OF_DAY / 1_000)) - 1;

  /** The first day whose nanoseconds fit into 64 bits. */
  private static final long MIN_NANO_DAY = LocalDate.of(1677, 9, 22).toEpochDay();

  private static final long MAX_NANO_DAY = LocalDate.of(2262, 4, 10).toEpochDay();

  private static final int EXPONENT_16 = 0x7c00;
  private static final int FRACTION_16 = 0x03ff;
  private static final int QUIET_16 = 0x0200;

  private final String table;

  /** The text after a row number in messages. */
  private final String of;

  private final List<Column> columns;
  private boolean hasNanos;

  /** The message for the first value that nanoseconds cannot express. */
  private @Nullable String beyondNanos;

  private RawValues(String table, String of, List<Column> columns) {
    this.table = table;
    this.of = of;
    this.columns = columns;
  }

  /**
   * Checks all values of some columns.
   *
   * @param of the text after a row number in messages
   * @param columns none of them nested
   * @throws TableException if DuckDB would change a value, with its row
   */
  static RawValues of(Sql sql, String table, String of, ParquetPages pages, List<Column> columns)
      throws IOException {
    RawValues values = new RawValues(table, of, columns);
    if (!columns.isEmpty()) {
      Path file = sql.newFile();
      RawParquet.write(pages, table, columns, file);
      try {
        values.read(sql, file);
      } finally {
        Files.delete(file);
      }
    }
    return values;
  }

  /** Whether an INT96 value has nanoseconds. */
  boolean hasNanos() {
    return hasNanos;
  }

  /**
   * Requires that nanoseconds since 1970 can express all INT96 values.
   *
   * @throws TableException if they cannot, with the row
   */
  void requireNanosFit() throws TableException {
    if (beyondNanos != null) {
      throw new TableException(beyondNanos);
    }
  }

  private void read(Sql sql, Path file) throws IOException {
    String query = "SELECT * FROM read_parquet(%s)".formatted(Sql.text(file));
    try (BufferAllocator memory = new RootAllocator();
        Statement statement = sql.connection().createStatement();
        ResultSet result = statement.executeQuery(query);
        ArrowReader batches =
            (ArrowReader)
                result
                    .unwrap(DuckDBResultSet.class)
                    .arrowExportStream(memory, ColumnValues.DEFAULT_ROWS_PER_PAGE)) {
      long before = 0;
      while (batches.loadNextBatch()) {
        int rows = batches.getVectorSchemaRoot().getRowCount();
        for (int i = 0; i < columns.size(); i++) {
          check(columns.get(i), batches.getVectorSchemaRoot().getVector(i), rows, before);
        }
        before += rows;
      }
    } catch (SQLException e) {
      throw Sql.ownFailure(Sql.reason(sql.connection(), query, e));
    }
  }

  private void check(Column column, FieldVector vector, int rows, long before)
      throws TableException {
    for (int row = 0; row < rows; row++) {
      if (!vector.isNull(row)) {
        long at = vector instanceof VarBinaryVector binary ? binary.getStartOffset(row) : 0;
        switch (column.kind()) {
          case INT96 ->
              int96(
                  column,
                  vector.getDataBuffer().getLong(at),
                  vector.getDataBuffer().getInt(at + Long.BYTES),
                  before + row);
          case FLOAT16 -> float16(column, vector.getDataBuffer().getShort(at), before + row);
          case BOUNDED ->
              bounded(
                  column,
                  vector instanceof BigIntVector longs
                      ? longs.get(row)
                      : ((IntVector) vector).get(row),
                  before + row);
        }
      }
    }
  }

  private void int96(Column column, long nanos, long julianDay, long row) throws TableException {
    if (nanos < 0 || nanos >= NANOS_OF_DAY) {
      throw misfit(
          column,
          row,
          format("INT96 of nanosecond %,d of a day, which has %,d", nanos, NANOS_OF_DAY));
    }
    if (julianDay < 0 || julianDay > EPOCH + MAX_MICRO_DAYS) {
      throw misfit(
          column,
          row,
          format(
              "INT96 of the Julian day %,d: TIMESTAMP has those from 0 to %,d",
              julianDay, EPOCH + MAX_MICRO_DAYS));
    }
    hasNanos |= nanos % NANOS_OF_MICRO != 0;
    long days = julianDay - EPOCH;
    if (beyondNanos == null && (days < MIN_NANO_DAY || days > MAX_NANO_DAY)) {
      beyondNanos =
          misfit(
                  column,
                  row,
                  "the file has INT96 with nanoseconds, and 64 bits cannot count them for this day")
              .getMessage();
    }
  }

  private void float16(Column column, short bits, long row) throws TableException {
    if ((bits & EXPONENT_16) == EXPONENT_16
        && (bits & FRACTION_16) != 0
        && (bits & QUIET_16) == 0) {
      throw misfit(
          column,
          row,
          format(
              "the NaN 0x%04x of 16 bits is a signalling one, whose bits no FLOAT keeps",
              bits & 0xffff));
    }
  }

  private void bounded(Column column, long value, long row) throws TableException {
    Limits limits = Objects.requireNonNull(column.limits());
    if (!limits.has(value)) {
      throw misfit(
          column,
          row,
          "%s is no %s, which has %s to %s"
              .formatted(value, limits.type(), limits.min(), limits.max()));
    }
  }

  private TableException misfit(Column column, long row, String reason) {
    return new TableException(
        format("table '%s', row %,d%s, column '%s': ", table, row + 1, of, column.name()) + reason);
  }
}
