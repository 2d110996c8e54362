package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.InsertedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Collects batches of rows that are inserted into a table, such as those of an {@code ArrowReader}.
 * Each value is copied once. Not thread-safe.
 *
 * <pre>{@code
 * ArrowRows rows = new ArrowRows(reader.getVectorSchemaRoot().getSchema());
 * while (reader.loadNextBatch()) {
 *   rows.append(reader.getVectorSchemaRoot());
 * }
 * ChangeCargo cargo = ChangeCargo.builder(id, base).table("sales", rows::insertInto).build();
 * }</pre>
 */
public final class ArrowRows {
  private final List<Field> fields;
  private final List<CopiedColumn> columns = new ArrayList<>();
  private long rowCount;

  /**
   * Creates an object without rows.
   *
   * @throws IllegalArgumentException if a cargo cannot hold the values of a field, with its name
   */
  public ArrowRows(Schema schema) {
    this.fields = schema.getFields();
    fields.forEach(field -> columns.add(new CopiedColumn(field)));
  }

  /**
   * Appends the rows of a batch, which stays the caller's.
   *
   * @throws IllegalArgumentException if the batch has other columns, or a value that a cargo cannot
   *     hold, with the column's name; this object cannot be used afterwards
   */
  public void append(VectorSchemaRoot batch) {
    if (batch.getFieldVectors().size() != fields.size()) {
      throw new IllegalArgumentException(
          format("a batch of %,d columns for %,d", batch.getFieldVectors().size(), fields.size()));
    }
    for (int i = 0; i < fields.size(); i++) {
      FieldVector vector = batch.getVector(i);
      if (!vector.getName().equals(fields.get(i).getName())
          || vector.getValueCount() != batch.getRowCount()) {
        throw new IllegalArgumentException(
            format(
                "a batch of %,d rows has %,d of '%s' in the place of column '%s'",
                batch.getRowCount(),
                vector.getValueCount(),
                vector.getName(),
                fields.get(i).getName()));
      }
      columns.get(i).append(vector);
    }
    rowCount += batch.getRowCount();
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Returns the columns so far.
   *
   * @throws io.drayage.cargo.IllegalTextException if a text is not UTF-8, with column and row
   */
  public List<InsertedColumn> columns() {
    return IntStream.range(0, fields.size()).mapToObj(this::column).toList();
  }

  /** Returns one of {@link #columns()}, from 0. */
  public InsertedColumn column(int number) {
    return new InsertedColumn(fields.get(number).getName(), columns.get(number).values());
  }

  /** Inserts the rows so far into a table, as {@link #columns()}. */
  public void insertInto(ChangeCargo.TableChangesBuilder table) {
    columns().forEach(column -> table.insert(column.column(), column.values()));
  }
}
