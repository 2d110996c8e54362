package io.drayage.baseline.fory;

import io.drayage.baseline.stream.BitPages;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cargo as a sequence of arrays, one buffer after the other:
 *
 * <pre>
 *   cargo     longs {idHigh, idLow, baseSnapshot, tables} | table ...
 *   table     longs {inserted columns, updated columns, deleted}
 *             | texts {table, inserted column ..., updated column ...}
 *             | bits, if deleted is 1
 *             | values of each inserted column
 *             | values of the row ids and values, of each updated column
 *   values    longs {type, rows, nullable, pages} | bits, if nullable is 1 | page ...
 *   bits      longs {size} | longs, 1,024 words of 64 bits in a page ...
 * </pre>
 *
 * Each array is preceded by its elements and its bytes, little-endian:
 *
 * <pre>
 *   0          4       8
 *   +----------+-------+-----------------------+
 *   | elements | bytes | see {@link ForyArrays} |
 *   | i32      | i32   |                       |
 *   +----------+-------+-----------------------+
 * </pre>
 *
 * A page travels whole, with the spare rows of the last one. One per cargo.
 */
final class ForyCargoWriter {
  static final int CARGO_FIELDS = 4;
  static final int TABLE_FIELDS = 3;
  static final int VALUES_FIELDS = 4;
  static final int BITS_FIELDS = 1;
  static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** The most raw bytes of a page: Fory's buffer doubles, and must stay below 2 GiB. */
  static final long MAX_PAGE_BYTES = 1 << 30;

  private static final int INITIAL_BYTES = 64 << 10;

  private final OutputStream out;
  private final ForyArrays arrays = new ForyArrays();
  private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(INITIAL_BYTES);

  ForyCargoWriter(OutputStream out) {
    this.out = out;
  }

  void write(ChangeCargo cargo) throws IOException {
    writeLongs(
        cargo.transactionId().getMostSignificantBits(),
        cargo.transactionId().getLeastSignificantBits(),
        cargo.baseSnapshot(),
        cargo.tables().size());
    for (TableChanges table : cargo.tables()) {
      write(table);
    }
    out.flush();
  }

  private void write(TableChanges table) throws IOException {
    RowBits deleted = table.deletedRows();
    writeLongs(table.insertedColumns().size(), table.updates().size(), deleted == null ? 0 : 1);
    Stream<String> columns =
        Stream.concat(
            table.insertedColumns().stream().map(InsertedColumn::column),
            table.updates().stream().map(ColumnUpdates::column));
    write(
        ColumnType.STRING, Stream.concat(Stream.of(table.table()), columns).toArray(String[]::new));
    write(deleted);
    for (InsertedColumn inserted : table.insertedColumns()) {
      write(inserted.values());
    }
    for (ColumnUpdates updated : table.updates()) {
      write(updated.rowIds());
      write(updated.values());
    }
  }

  private void write(ColumnValues values) throws IOException {
    RowBits validity = values.validity();
    writeLongs(values.type().id(), values.rowCount(), validity == null ? 0 : 1, values.pageCount());
    write(validity);
    for (int p = 0; p < values.pageCount(); p++) {
      write(values.type(), values.page(p));
    }
  }

  private void write(@Nullable RowBits bits) throws IOException {
    if (bits == null) {
      return;
    }
    writeLongs(bits.size());
    for (int p = 0; p < BitPages.count(bits.size()); p++) {
      write(ColumnType.LONG, BitPages.of(bits, p));
    }
  }

  private void writeLongs(long... values) throws IOException {
    write(ColumnType.LONG, values);
  }

  private void write(ColumnType type, Object array) throws IOException {
    int elements = Array.getLength(array);
    if ((long) elements * type.widthBytes() > MAX_PAGE_BYTES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "fory cannot write a page of %,d values of %s: the limit is %,d bytes",
              elements,
              type,
              MAX_PAGE_BYTES));
    }
    buffer.writerIndex(0);
    buffer.writeInt32(elements);
    buffer.writeInt32(0);
    arrays.write(buffer, type, array);
    buffer.putInt32(Integer.BYTES, buffer.writerIndex() - HEADER_BYTES);
    out.write(buffer.getHeapMemory(), 0, buffer.writerIndex());
  }
}
