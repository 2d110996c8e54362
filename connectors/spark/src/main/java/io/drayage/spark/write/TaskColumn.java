package io.drayage.spark.write;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import java.io.Serial;
import java.io.Serializable;

/** A column, as the driver describes it to tasks. */
record TaskColumn(String name, ColumnType type, boolean nullable) implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  static TaskColumn of(ColumnSchema column) {
    return new TaskColumn(column.name(), column.type(), column.nullable());
  }

  ColumnSchema schema() {
    return new ColumnSchema(name, type, nullable);
  }
}
