package io.drayage.spark.write;

import io.drayage.cargo.TableSchema;
import io.drayage.spark.database.TableDescription;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructType;

/**
 * The table that a task changes, and how rows are that it inserts or updates.
 *
 * @param isNew whether the transaction adds it
 * @param columns none if it deletes alone
 * @param row what a row of Spark has
 * @param ordinals where each column is in a row
 */
record TaskTable(
    String name, boolean isNew, List<TaskColumn> columns, StructType row, List<Integer> ordinals)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /**
   * For rows of a schema.
   *
   * @param row empty if rows are deleted alone
   * @throws IllegalArgumentException if a column of the table is missing, naming it
   */
  static TaskTable of(TableDescription table, boolean isNew, StructType row) {
    if (row.isEmpty()) {
      return new TaskTable(table.name(), isNew, List.of(), row, List.of());
    }
    List<String> names = List.of(row.fieldNames());
    List<Integer> ordinals =
        IntStream.range(0, table.columns().size())
            .mapToObj(i -> names.indexOf(table.column(i).name()))
            .toList();
    if (ordinals.contains(-1) || names.size() != ordinals.size()) {
      throw new IllegalArgumentException(
          "rows for table '%s' have the columns %s: insert all of them, which are %s"
              .formatted(table.name(), names, table.schema().columns()));
    }
    return new TaskTable(
        table.name(),
        isNew,
        table.schema().columns().stream().map(TaskColumn::of).toList(),
        row,
        ordinals);
  }

  List<String> columnNames() {
    return columns.stream().map(TaskColumn::name).toList();
  }

  TableSchema schema() {
    return new TableSchema(name, columns.stream().map(TaskColumn::schema).toList());
  }
}
