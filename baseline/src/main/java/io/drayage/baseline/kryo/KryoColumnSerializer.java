package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;

/** A column as Kryo's {@code FieldSerializer} writes it: its fields, ordered by their names. */
final class KryoColumnSerializer extends Serializer<ColumnValues> {
  @Override
  public void write(Kryo kryo, Output output, ColumnValues values) {
    Registration pages = kryo.writeClass(output, values.type().pageClass().arrayType());
    ((KryoPageTableSerializer) pages.getSerializer()).write(output, values);
    output.writeVarLong(values.rowCount(), false);
    output.writeVarInt(values.rowsPerPage(), false);
    output.writeVarInt(values.type().id(), true);
    kryo.writeObjectOrNull(output, values.validity(), RowBits.class);
  }

  /** Reads a column, checked as if a user had handed its pages in. */
  @Override
  public ColumnValues read(Kryo kryo, Input input, Class<? extends ColumnValues> type) {
    Registration registration = kryo.readClass(input);
    if (registration == null
        || !(registration.getSerializer() instanceof KryoPageTableSerializer table)) {
      throw KryoAccount.refusal(
          "%s where the pages of a column belong"
              .formatted(registration == null ? "null" : registration.getType().getSimpleName()));
    }
    Object[] pages = table.readPages(input);
    long rowCount = input.readVarLong(false);
    // Follows from the pages; what a column without any would have, need not be ours.
    int unusedRowsPerPage = input.readVarInt(false);
    ColumnType stated = ColumnType.ofId(input.readVarInt(true));
    RowBits validity = kryo.readObjectOrNull(input, RowBits.class);
    ColumnValues values = ColumnValues.of(pages, rowCount, validity);
    if (values.type() != stated) {
      throw KryoAccount.refusal(
          "pages of %s in a column that states %s".formatted(values.type(), stated));
    }
    return values;
  }
}
