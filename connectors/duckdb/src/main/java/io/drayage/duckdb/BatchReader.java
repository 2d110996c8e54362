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

/** Rows that DuckDB asks for, batch after batch. Not thread-safe. */
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
   * A query for the rows, each column with its type. Columns go by their place, since names that
   * are equal, or differ by case alone, would all mean the first.
   *
   * @param from what has the rows
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

  /** The names of the columns. */
  final List<String> names() {
    return names;
  }

  /** The types of the columns. */
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
    getVectorSchemaRoot().clear(); // DuckDB may still be reading the memory of the batch before.
    try {
      return fillBatch();
    } catch (TableException e) {
      // DuckDB tells of it with a stack of calls, and asks once more.
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

  /** What DuckDB could not be given, if that is why it failed. */
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
