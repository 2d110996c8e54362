package io.drayage.spark.database;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.Names;
import io.drayage.cargo.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A table in the terms of Drayage and of Spark.
 *
 * @param schema in the database
 * @param made the snapshot that made the table, which with its name identifies it; 0 for a new one
 * @param columns the type of each column, in the same order
 */
public record TableDescription(TableSchema schema, List<SparkTypes.Stored> columns, long made) {
  public TableDescription {
    columns = List.copyOf(columns);
  }

  /**
   * Describes a new table.
   *
   * @throws UnsupportedOperationException if the database has no type for a column, with its name
   * @throws DrayageException if a name is wrong, or appears twice, also in another case
   */
  public static TableDescription of(String table, StructType wanted) {
    try {
      return described(table, wanted);
    } catch (IllegalArgumentException e) {
      throw new DrayageException(DrayageException.Condition.INVALID_TABLE, e.getMessage(), e);
    }
  }

  private static TableDescription described(String table, StructType wanted) {
    List<SparkTypes.Stored> columns = new ArrayList<>();
    List<ColumnSchema> schemas = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    for (StructField field : wanted.fields()) {
      String same = names.put(Names.folded(field.name()), field.name());
      if (same != null && !same.equals(field.name())) {
        throw new DrayageException(
            DrayageException.Condition.INVALID_TABLE,
            "columns '%s' and '%s' of table '%s' differ in case alone: rename one"
                .formatted(same, field.name(), table));
      }
      SparkTypes.Stored stored = SparkTypes.stored(table, field.name(), field.dataType());
      columns.add(stored);
      schemas.add(new ColumnSchema(field.name(), stored.type(), field.nullable()));
    }
    return new TableDescription(new TableSchema(table, schemas), columns, 0);
  }

  /** Returns the same columns for another table. */
  public TableDescription as(String table) {
    return new TableDescription(new TableSchema(table, schema.columns()), columns, 0);
  }

  /** Returns the same table, made by a snapshot. */
  public TableDescription madeIn(long snapshot) {
    return new TableDescription(schema, columns, snapshot);
  }

  /** Returns its name. */
  public String name() {
    return schema.name();
  }

  /**
   * Returns the schema for Spark.
   *
   * @throws UnsupportedOperationException if a column has no type in Spark, with its name
   */
  public StructType toSpark() {
    return DataTypes.createStructType(
        IntStream.range(0, columns.size())
            .mapToObj(
                i ->
                    DataTypes.createStructField(
                        column(i).name(),
                        SparkTypes.of(name(), column(i).name(), columns.get(i)),
                        column(i).nullable()))
            .toArray(StructField[]::new));
  }

  /**
   * Returns the columns for Spark's catalog.
   *
   * @throws UnsupportedOperationException as {@link #toSpark}
   */
  public Column[] sparkColumns() {
    return Arrays.stream(toSpark().fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  /** Returns a name for the number of a row in Spark, which no column has. */
  public String rowColumn() {
    String name = "_row";
    while (hasColumn(name)) {
      name = "_" + name;
    }
    return name;
  }

  /** Returns the error for a statement that sets the number of a row. */
  public DrayageUnsupportedException rowIsSet() {
    return new DrayageUnsupportedException(
        "table '%s': %s cannot be set: the number of a row is fixed"
            .formatted(name(), rowColumn()));
  }

  private boolean hasColumn(String name) {
    return schema.columns().stream().anyMatch(each -> each.name().equalsIgnoreCase(name));
  }

  /** Returns the error for a failure, with the name of the table. */
  public RuntimeException failed(IOException cause) {
    return DrayageException.of("table " + name(), cause);
  }

  /** Returns a column of the database. */
  public ColumnSchema column(int index) {
    return schema.columns().get(index);
  }

  /** Returns the column whose values are the smallest. */
  public ColumnSchema narrowest() {
    return schema.columns().stream()
        .min(
            Comparator.comparingInt(
                each -> each.type().isFixedWidth() ? each.type().widthBytes() : Integer.MAX_VALUE))
        .orElseThrow();
  }

  /**
   * Returns the first column that cannot hold all values of its type in Spark, because Spark does
   * not check them; null if there is none.
   */
  public @Nullable ColumnSchema unwritable() {
    return IntStream.range(0, columns.size())
        .filter(i -> !SparkTypes.isWritable(columns.get(i)))
        .mapToObj(this::column)
        .findFirst()
        .orElse(null);
  }
}
