package io.drayage.duckdb;

import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** LiveCargo that DuckDB reads, batch after batch. Not thread-safe. */
abstract class BatchReader extends ArrowReader {
  private final List<String> names;
  private final List<ValueType> types;
  private @Nullable TableException failure;

  /**
   * @param names of the columns
   * @param types of the columns
   */
  BatchReader(List<String> names, List<ValueType> types, BufferAllocator memory) {
    super(memory);
    this.names = names;
    this.types = types;
  }

  /**
   * Returns a query for the rows, each column with its type. It refers to columns by position,
   * because equal names, or names that differ only in case, would mean the first column.
   *
   * @param from the source of the rows
   */
  final String selectFrom(String from) {
    List<String> places = new ArrayList<>();
    List<String> selected = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      String place = "c" + i;
      places.add(place);
      selected.add(
          "CAST(%s AS %s) AS %s".formatted(place, types.get(i).name(), Sql.name(names.get(i))));
    }
    return "SELECT %s FROM %s AS r(%s)"
        .formatted(String.join(", ", selected), from, String.join(", ", places));
  }

  final List<String> names() {
    return names;
  }

  final List<ValueType> types() {
    return types;
  }

  @Override
  protected final Schema readSchema() {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(new Field(names.get(i), FieldType.nullable(types.get(i).arrow()), List.of()));
    }
    return new Schema(fields);
  }

  @Override
  public final boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    getVectorSchemaRoot().clear(); // DuckDB may still be reading the memory of the last batch.
    try {
      return fillBatch();
    } catch (TableException e) {
      // DuckDB adds a stack trace to the failure, and asks once more.
      failure = failure == null ? e : failure;
      throw failure;
    }
  }

  /**
   * Fills the vectors with the next rows.
   *
   * @return false if there are none
   */
  abstract boolean fillBatch() throws IOException;

  /** Returns the first failure of this reader; without one, returns {@code failed}. */
  final IOException reason(IOException failed) {
    return failure == null ? failed : failure;
  }

  @Override
  public final long bytesRead() {
    return 0;
  }

  @Override
  protected final void closeReadSource() {}
}
