package io.drayage.spark.write;

import io.drayage.cargo.TableSchema;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/**
 * The table that a task changes, and the format of the rows that it inserts or updates.
 *
 * @param isNew whether the transaction adds it
 * @param columns empty if the task only deletes
 * @param row columns of a row in Spark
 * @param ordinals index of each column in a row
 */
record TaskTable(
    String name, boolean isNew, List<TaskColumn> columns, StructType row, List<Integer> ordinals)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an object for rows of a schema.
   *
   * @param changes whether rows of the table are changed: Spark passes their numbers as well, if
   *     the statement names these
   * @param row empty if rows are only deleted
   * @throws DrayageException if a column is missing or is not in the table, with its name
   * @throws DrayageUnsupportedException if the number of a row is set
   */
  static TaskTable of(TableDescription table, boolean isNew, boolean changes, StructType row) {
    if (row.isEmpty()) {
      return new TaskTable(table.name(), isNew, List.of(), row, List.of());
    }
    String number = table.rowColumn();
    List<String> names =
        Stream.of(row.fieldNames())
            .filter(name -> !changes || !number.equalsIgnoreCase(name))
            .toList();
    List<Integer> ordinals =
        IntStream.range(0, table.columns().size())
            .mapToObj(i -> find(table.column(i).name(), row))
            .toList();
    if (names.stream().anyMatch(number::equalsIgnoreCase)) {
      throw table.rowIsSet();
    }
    if (ordinals.contains(-1) || names.size() != ordinals.size()) {
      throw new DrayageException(
          DrayageException.Condition.INVALID_ROWS,
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

  /**
   * Returns the index of a column in a row; -1 if it is missing. Spark renames the columns of a
   * batch to the table's, but not those of a stream.
   */
  static int find(String column, StructType row) {
    List<String> names = List.of(row.fieldNames());
    int exact = names.indexOf(column);
    if (exact >= 0 || SQLConf.get().caseSensitiveAnalysis()) {
      return exact;
    }
    int[] found =
        IntStream.range(0, names.size())
            .filter(i -> names.get(i).equalsIgnoreCase(column))
            .toArray();
    return found.length == 1 ? found[0] : -1;
  }

  List<String> columnNames() {
    return columns.stream().map(TaskColumn::name).toList();
  }

  TableSchema schema() {
    return new TableSchema(name, columns.stream().map(TaskColumn::schema).toList());
  }
}
