package io.drayage.baseline.msgpack;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.BitPages;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.TableContents;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageUnpacker;

/**
 * Reads the format of {@link MsgpackCargoWriter} from a stream that may hold anything. Memory is
 * charged before it is allocated. The model's own builder makes the cargo and checks it. The caller
 * handles the exceptions of MessagePack and of the model, all of them unchecked. For one cargo.
 */
final class MsgpackCargoReader {
  /** Bytes charged for a table or a column besides its arrays: a handful of small objects. */
  private static final int ENTRY_BYTES = 4 * MemoryAccount.OBJECT_BYTES;

  private final MessageUnpacker unpacker;
  private final MemoryAccount memory;
  private final MsgpackArrays arrays;

  /**
   * @param memory is charged with all arrays, strings and objects
   */
  MsgpackCargoReader(MessageUnpacker unpacker, MemoryAccount memory) {
    this.unpacker = unpacker;
    this.memory = memory;
    this.arrays = new MsgpackArrays(unpacker, memory);
  }

  ChangeCargo read() throws IOException {
    requireArray("a cargo", MsgpackCargoWriter.CARGO_FIELDS);
    UUID transactionId = new UUID(unpacker.unpackLong(), unpacker.unpackLong());
    ChangeCargo.Builder builder = ChangeCargo.builder(transactionId, unpacker.unpackLong());
    for (int left = readEntries(); left > 0; left--) {
      readTable(builder);
    }
    return builder.build();
  }

  private void readTable(ChangeCargo.Builder builder) throws IOException {
    requireArray("a table", MsgpackCargoWriter.TABLE_FIELDS);
    String name = arrays.readString();
    List<InsertedColumn> inserted = new ArrayList<>();
    for (int left = readEntries(); left > 0; left--) {
      requireArray("an inserted column", MsgpackCargoWriter.INSERTED_FIELDS);
      inserted.add(new InsertedColumn(arrays.readString(), readValues()));
    }
    RowBits deleted = readBits();
    List<ColumnUpdates> updates = new ArrayList<>();
    for (int left = readEntries(); left > 0; left--) {
      requireArray("an updated column", MsgpackCargoWriter.UPDATED_FIELDS);
      updates.add(new ColumnUpdates(arrays.readString(), readValues(), readValues()));
    }
    new TableContents(name, inserted, updates, deleted).addTo(builder);
  }

  private ColumnValues readValues() throws IOException {
    requireArray("the values of a column", MsgpackCargoWriter.VALUES_FIELDS);
    ColumnType type = ColumnType.ofId(unpacker.unpackInt());
    long rowCount = unpacker.unpackLong();
    RowBits validity = readBits();
    int pageCount = unpacker.unpackArrayHeader();
    memory.charge(pageCount, MemoryAccount.OBJECT_BYTES);
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), pageCount);
    for (int p = 0; p < pageCount; p++) {
      pages[p] = readPage(type);
    }
    return ColumnValues.of(pages, rowCount, validity);
  }

  private Object readPage(ColumnType type) throws IOException {
    int length = arrays.readHeader(type);
    memory.charge(length, MemoryAccount.elementBytes(type));
    return arrays.read(type, length);
  }

  private @Nullable RowBits readBits() throws IOException {
    if (unpacker.tryUnpackNil()) {
      return null;
    }
    requireArray("a bit set", MsgpackCargoWriter.BITS_FIELDS);
    long size = unpacker.unpackLong();
    RowBits bits = BitPages.allocate(size, memory);
    requireArray("the pages of a bit set", BitPages.count(size));
    for (int p = 0; p < BitPages.count(size); p++) {
      int words = BitPages.words(size, p);
      requireArray("a page of a bit set", words);
      BitPages.put((long[]) arrays.read(ColumnType.LONG, words), bits, p);
    }
    return bits;
  }

  private int readEntries() throws IOException {
    int entries = unpacker.unpackArrayHeader();
    memory.charge(entries, ENTRY_BYTES);
    return entries;
  }

  private void requireArray(String what, int expected) throws IOException {
    int length = unpacker.unpackArrayHeader();
    if (length != expected) {
      throw new ShipmentException(
          Fault.DECODE, format("an array of %,d where %s is one of %,d", length, what, expected));
    }
  }
}
