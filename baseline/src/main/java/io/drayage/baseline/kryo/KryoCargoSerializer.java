package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cargo and its tables as Kryo's {@code FieldSerializer} and {@code RecordSerializer} write them:
 * their fields, ordered by their names. Read through the builder, which checks them.
 */
final class KryoCargoSerializer extends Serializer<ChangeCargo> {
  private final KryoAccount account;

  KryoCargoSerializer(KryoAccount account) {
    this.account = account;
  }

  @Override
  public void write(Kryo kryo, Output output, ChangeCargo cargo) {
    output.writeVarLong(cargo.baseSnapshot(), false);
    writeLength(output, cargo.tables());
    for (TableChanges table : cargo.tables()) {
      output.writeByte(Kryo.NOT_NULL);
      writeTable(kryo, output, table);
    }
    output.writeVarLong(cargo.transactionId().getMostSignificantBits(), false);
    output.writeVarLong(cargo.transactionId().getLeastSignificantBits(), false);
  }

  private static void writeTable(Kryo kryo, Output output, TableChanges table) {
    kryo.writeObjectOrNull(output, table.deletedRows(), RowBits.class);
    writeLength(output, table.insertedColumns());
    for (InsertedColumn inserted : table.insertedColumns()) {
      output.writeByte(Kryo.NOT_NULL);
      output.writeString(inserted.column());
      kryo.writeObjectOrNull(output, inserted.values(), ColumnValues.class);
    }
    output.writeString(table.table());
    writeLength(output, table.updates());
    for (ColumnUpdates update : table.updates()) {
      output.writeByte(Kryo.NOT_NULL);
      output.writeString(update.column());
      kryo.writeObjectOrNull(output, update.rowIds(), ColumnValues.class);
      kryo.writeObjectOrNull(output, update.values(), ColumnValues.class);
    }
  }

  private static void writeLength(Output output, List<?> array) {
    output.writeVarInt(array.size() + 1, true);
  }

  @Override
  public ChangeCargo read(Kryo kryo, Input input, Class<? extends ChangeCargo> type) {
    long baseSnapshot = input.readVarLong(false);
    List<TableParts> tables = readArray(input, () -> readTable(kryo, input));
    long idHigh = input.readVarLong(false);
    long idLow = input.readVarLong(false);
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(idHigh, idLow), baseSnapshot);
    tables.forEach(table -> cargo.table(table.name(), table::addTo));
    return cargo.build();
  }

  private TableParts readTable(Kryo kryo, Input input) {
    RowBits deletedRows = kryo.readObjectOrNull(input, RowBits.class);
    List<InsertedColumn> insertedColumns =
        readArray(input, () -> new InsertedColumn(readName(input), readColumn(kryo, input)));
    String name = readName(input);
    List<ColumnUpdates> updates =
        readArray(
            input,
            () ->
                new ColumnUpdates(
                    readName(input), readColumn(kryo, input), readColumn(kryo, input)));
    return new TableParts(name, insertedColumns, deletedRows, updates);
  }

  private <T> List<T> readArray(Input input, Supplier<T> element) {
    int length = account.readLength(input, MemoryAccount.OBJECT_BYTES);
    List<T> array = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      if (input.readByte() != Kryo.NOT_NULL) {
        throw KryoAccount.refusal("a null where a table or a column belongs");
      }
      array.add(element.get());
    }
    return array;
  }

  private String readName(Input input) {
    String name = account.readText(input);
    if (name == null) {
      throw KryoAccount.refusal("a null where a name belongs");
    }
    return name;
  }

  private static ColumnValues readColumn(Kryo kryo, Input input) {
    ColumnValues values = kryo.readObjectOrNull(input, ColumnValues.class);
    if (values == null) {
      throw KryoAccount.refusal("a null where the values of a column belong");
    }
    return values;
  }

  /** What came for one table, in the order in which it came. */
  private record TableParts(
      String name,
      List<InsertedColumn> insertedColumns,
      @Nullable RowBits deletedRows,
      List<ColumnUpdates> updates) {
    void addTo(ChangeCargo.TableBuilder table) {
      insertedColumns.forEach(inserted -> table.insert(inserted.column(), inserted.values()));
      updates.forEach(update -> table.update(update.column(), update.rowIds(), update.values()));
      if (deletedRows != null) {
        table.delete(deletedRows);
      }
    }
  }
}
