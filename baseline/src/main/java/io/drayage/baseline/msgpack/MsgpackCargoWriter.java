package io.drayage.baseline.msgpack;

import io.drayage.baseline.stream.BitPages;
import io.drayage.baseline.stream.StudyTexts;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TextPage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePacker;

/**
 * Writes a cargo as nested MessagePack arrays:
 *
 * <pre>
 *   cargo     [idHigh, idLow, baseSnapshot, [table...]]
 *   table     [name, [inserted...], bits or nil, [updated...]]
 *   inserted  [column, values]
 *   updated   [column, values of the row ids, values]
 *   values    [type, rowCount, bits or nil, [page...]]
 *   page      [value...], or a binary for a page of bytes; with the spare rows of the last page
 *   bits      [size, [[word...]...]], 1,024 words of 64 bits in a page
 * </pre>
 *
 * See {@link MsgpackArrays} for pages and texts. For one cargo.
 */
record MsgpackCargoWriter(MessagePacker packer) {
  static final int CARGO_FIELDS = 4;
  static final int TABLE_FIELDS = 4;
  static final int INSERTED_FIELDS = 2;
  static final int UPDATED_FIELDS = 3;
  static final int VALUES_FIELDS = 4;
  static final int BITS_FIELDS = 2;

  void write(ChangeCargo cargo) throws IOException {
    packer.packArrayHeader(CARGO_FIELDS);
    packer.packLong(cargo.transactionId().getMostSignificantBits());
    packer.packLong(cargo.transactionId().getLeastSignificantBits());
    packer.packLong(cargo.baseSnapshot());
    packer.packArrayHeader(cargo.tables().size());
    for (TableChanges table : cargo.tables()) {
      write(table);
    }
  }

  private void write(TableChanges table) throws IOException {
    packer.packArrayHeader(TABLE_FIELDS);
    packer.packString(table.table());
    packer.packArrayHeader(table.insertedColumns().size());
    for (InsertedColumn inserted : table.insertedColumns()) {
      packer.packArrayHeader(INSERTED_FIELDS);
      packer.packString(inserted.column());
      write(inserted.values());
    }
    write(table.deletedRows());
    packer.packArrayHeader(table.updates().size());
    for (ColumnUpdates updated : table.updates()) {
      packer.packArrayHeader(UPDATED_FIELDS);
      packer.packString(updated.column());
      write(updated.rowIds());
      write(updated.values());
    }
  }

  private void write(ColumnValues values) throws IOException {
    packer.packArrayHeader(VALUES_FIELDS);
    packer.packInt(values.type().id());
    packer.packLong(values.rowCount());
    write(values.validity());
    packer.packArrayHeader(values.pageCount());
    for (int p = 0; p < values.pageCount(); p++) {
      Object page = values.page(p);
      Object array = page instanceof TextPage texts ? StudyTexts.of(texts) : page;
      MsgpackArrays.write(packer, values.type(), array);
    }
  }

  private void write(@Nullable RowBits bits) throws IOException {
    if (bits == null) {
      packer.packNil();
      return;
    }
    packer.packArrayHeader(BITS_FIELDS);
    packer.packLong(bits.size());
    packer.packArrayHeader(BitPages.count(bits.size()));
    for (int p = 0; p < BitPages.count(bits.size()); p++) {
      MsgpackArrays.write(packer, ColumnType.LONG, BitPages.of(bits, p));
    }
  }
}
