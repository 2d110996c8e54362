package io.drayage.duckdb.changes;

import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.store.StoreSnapshot;
import io.drayage.tables.TableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of a stream of changes, as docs/wire-format.md defines them. */
final class ChangeSchema {
  static final String KIND = "kind";
  static final String SNAPSHOT = "snapshot";
  static final String TRANSACTION = "transaction";
  static final String COMMITTED = "committed";
  static final String ROW = "row";
  static final String UPDATED = "updated";
  static final String VALUES = "values";
  static final String BEFORE = "before";

  /** The index of {@link #ROW}, which is null only in an entry that is not a row. */
  static final int ROW_INDEX = 4;

  /** The key of the table's name in the metadata. */
  private static final String TABLE = "drayage.changes.of";

  /** The key of the database's id in the metadata. */
  private static final String DATABASE = "drayage.database";

  private ChangeSchema() {}

  /**
   * Returns the schema of a table's changes.
   *
   * @param before whether it has the values before a change
   */
  static Schema of(String name, boolean before, UUID database, StoreSnapshot snapshot)
      throws TableException {
    List<Field> columns = new ArrayList<>();
    var rows = snapshot.liveRows();
    KeptTypes kept = KeptTypes.of(rows);
    for (TableChanges table : rows.tables()) {
      if (table.table().equals(name)) {
        for (InsertedColumn column : table.insertedColumns()) {
          columns.add(Field.nullable(column.column(), kept.of(name, column).arrow()));
        }
      }
    }
    ArrowType text = ArrowType.Utf8.INSTANCE;
    ArrowType number = new ArrowType.Int(Long.SIZE, true);
    List<Field> fields = new ArrayList<>();
    fields.add(Field.notNullable(KIND, text));
    fields.add(Field.notNullable(SNAPSHOT, number));
    fields.add(Field.nullable(TRANSACTION, text));
    fields.add(Field.nullable(COMMITTED, new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC")));
    fields.add(Field.nullable(ROW, number));
    fields.add(
        new Field(
            UPDATED,
            FieldType.nullable(ArrowType.List.INSTANCE),
            List.of(Field.notNullable("item", text))));
    fields.add(struct(VALUES, columns));
    if (before) {
      fields.add(struct(BEFORE, columns));
    }
    return new Schema(fields, Map.of(TABLE, name, DATABASE, database.toString()));
  }

  private static Field struct(String name, List<Field> columns) {
    return new Field(name, FieldType.nullable(ArrowType.Struct.INSTANCE), columns);
  }

  /** Returns the id of the database whose changes a stream has. */
  static String database(Schema schema) {
    return schema.getCustomMetadata().getOrDefault(DATABASE, "unknown");
  }

  /** Whether a stream with this schema holds changes of a table. */
  static boolean isOfChanges(Schema schema) {
    return schema.getCustomMetadata().containsKey(TABLE);
  }
}
