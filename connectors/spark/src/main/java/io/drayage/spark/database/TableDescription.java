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
 * A table in the words of both.
 *
 * @param schema what the database has
 * @param columns what each column is, in the same order
 */
public record TableDescription(TableSchema schema, List<SparkTypes.Stored> columns) {
  public TableDescription {
    columns = List.copyOf(columns);
  }

  /**
   * A table that is yet to be made.
   *
   * @throws UnsupportedOperationException if a column has no place in the database, naming it
   * @throws DrayageException if a name cannot be one, or appears twice, be it in another case
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
    return new TableDescription(new TableSchema(table, schemas), columns);
  }

  /** The same columns of another table. */
  public TableDescription as(String table) {
    return new TableDescription(new TableSchema(table, schema.columns()), columns);
  }

  /** Its name. */
  public String name() {
    return schema.name();
  }

  /**
   * What Spark sees.
   *
   * @throws UnsupportedOperationException if a column has no type in Spark, naming it
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
   * What Spark sees, as a catalog says it.
   *
   * @throws UnsupportedOperationException as {@link #toSpark}
   */
  public Column[] sparkColumns() {
    return Arrays.stream(toSpark().fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  /** What Spark sees as the number of a row in a snapshot: no column has this name. */
  public String rowColumn() {
    String name = "_row";
    while (hasColumn(name)) {
      name = "_" + name;
    }
    return name;
  }

  /** Why a statement is refused that sets the number of a row. */
  public DrayageUnsupportedException rowIsSet() {
    return new DrayageUnsupportedException(
        "table '%s': %s cannot be set: it is the number of a row, which it keeps"
            .formatted(name(), rowColumn()));
  }

  private boolean hasColumn(String name) {
    return schema.columns().stream().anyMatch(each -> each.name().equalsIgnoreCase(name));
  }

  /** Why something failed, with the name of the table. */
  public RuntimeException failed(IOException cause) {
    return DrayageException.of("table " + name(), cause);
  }

  /** A column of the database. */
  public ColumnSchema column(int index) {
    return schema.columns().get(index);
  }

  /** The column whose values take the least room. */
  public ColumnSchema narrowest() {
    return schema.columns().stream()
        .min(
            Comparator.comparingInt(
                each -> each.type().isFixedWidth() ? each.type().widthBytes() : Integer.MAX_VALUE))
        .orElseThrow();
  }

  /**
   * The first column that has fewer values than its type for Spark, which Spark does not check;
   * null if it may write all.
   */
  public @Nullable ColumnSchema unwritable() {
    return IntStream.range(0, columns.size())
        .filter(i -> !SparkTypes.isWritable(columns.get(i)))
        .mapToObj(this::column)
        .findFirst()
        .orElse(null);
  }
}
