package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A cargo so small that each of its bits can be tried, and its content independent of a digest. */
final class HostileCargo {
  private HostileCargo() {}

  /** A column of each type, some with nulls, an update and deleted rows; three rows each. */
  static ChangeCargo of() {
    return TestContent.ofTable(
            "small",
            table -> {
              for (ColumnType type : ColumnType.values()) {
                table.insert("i" + type.id(), column(type));
              }
              long[][] rows = {{4, 5, 900}};
              table.update("u", ColumnValues.of(rows), column(ColumnType.INT));
              RowBits deleted = new RowBits(70);
              deleted.set(1);
              deleted.set(69);
              table.delete(deleted);
            })
        .cargo();
  }

  private static ColumnValues column(ColumnType type) {
    ColumnBuilder column = new ColumnBuilder(type);
    int values = type.id() % 2 == 0 ? 2 : 3;
    for (int row = 1; row <= values; row++) {
      switch (type) {
        case BOOLEAN -> column.addBoolean(row == 2);
        case BYTE -> column.addByte((byte) row);
        case SHORT -> column.addShort((short) (row << 8));
        case INT -> column.addInt(-row);
        case LONG -> column.addLong(row * 1_000_000_007L);
        case FLOAT -> column.addFloat(row / 2f);
        case DOUBLE -> column.addDouble(row / 3d);
        case STRING -> column.addString(row == 2 ? "zwölf 汉" : "abcabcabcabc");
      }
    }
    return values == 2 ? column.addNull().build() : column.build();
  }

  /** Everything that a digest covers, value by value: equal lists are equal cargoes. */
  static List<@Nullable Object> values(ChangeCargo cargo) {
    List<@Nullable Object> all = new ArrayList<>();
    all.add(new UUID(cargo.transactionId().getMostSignificantBits(), cargo.baseSnapshot()));
    all.add(cargo.transactionId());
    for (TableChanges table : cargo.tables()) {
      all.add(table.table());
      for (InsertedColumn inserted : table.insertedColumns()) {
        all.add(inserted.column());
        addValues(inserted.values(), all);
      }
      for (ColumnUpdates update : table.updates()) {
        all.add(update.column());
        addValues(update.rowIds(), all);
        addValues(update.values(), all);
      }
      all.add(Objects.requireNonNullElse(table.deletedRows(), "no deletes"));
    }
    return all;
  }

  private static void addValues(ColumnValues values, List<@Nullable Object> all) {
    all.add(values.type());
    for (long row = 0; row < values.rowCount(); row++) {
      Object value = values.get(row);
      all.add(value instanceof Double number ? (Object) Double.doubleToRawLongBits(number) : value);
    }
  }
}
