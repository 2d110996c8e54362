package io.drayage.baseline.fory;

import io.drayage.baseline.stream.BitPages;
import io.drayage.baseline.stream.LimitedInputStream;
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
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ForyCargoWriter} wrote, from a stream that may hold anything: what is allocated
 * is charged before, and the cargo is put together by the model's own builder, which checks it. The
 * exceptions of Fory and of the model, all unchecked, are left to the caller. For one cargo.
 */
final class ForyCargoReader {
  /** What a table or a column is charged besides its arrays: a handful of small objects. */
  private static final int ENTRY_BYTES = 4 * MemoryAccount.OBJECT_BYTES;

  private final InputStream in;
  private final MemoryAccount memory;
  private final ForyArrays arrays = new ForyArrays();
  private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(0);
  private byte[] scratch = new byte[64 << 10];

  /**
   * @param memory is charged with all arrays, texts and objects
   */
  ForyCargoReader(InputStream in, MemoryAccount memory) {
    this.in = LimitedInputStream.ofCargo(in, memory.maxBytes());
    this.memory = memory;
  }

  ChangeCargo read() throws IOException {
    long[] shape = readLongs(ForyCargoWriter.CARGO_FIELDS);
    ChangeCargo.Builder builder = ChangeCargo.builder(new UUID(shape[0], shape[1]), shape[2]);
    memory.charge(shape[3], ENTRY_BYTES);
    for (long left = shape[3]; left > 0; left--) {
      readTable(builder);
    }
    return builder.build();
  }

  private void readTable(ChangeCargo.Builder builder) throws IOException {
    long[] shape = readLongs(ForyCargoWriter.TABLE_FIELDS);
    memory.charge(shape[0], ENTRY_BYTES);
    memory.charge(shape[1], ENTRY_BYTES);
    int insertedCount = (int) shape[0];
    int updatedCount = (int) shape[1];
    String[] names = readNames(1 + insertedCount + updatedCount);
    RowBits deleted = readBits(shape[2]);
    List<InsertedColumn> inserted = new ArrayList<>();
    for (int i = 0; i < insertedCount; i++) {
      inserted.add(new InsertedColumn(requireName(names[1 + i]), readValues()));
    }
    List<ColumnUpdates> updates = new ArrayList<>();
    for (int i = 0; i < updatedCount; i++) {
      String column = requireName(names[1 + insertedCount + i]);
      updates.add(new ColumnUpdates(column, readValues(), readValues()));
    }
    new TableContents(requireName(names[0]), inserted, updates, deleted).addTo(builder);
  }

  private ColumnValues readValues() throws IOException {
    long[] shape = readLongs(ForyCargoWriter.VALUES_FIELDS);
    ColumnType type = ColumnType.ofId(Math.toIntExact(shape[0]));
    RowBits validity = readBits(shape[2]);
    memory.charge(shape[3], MemoryAccount.OBJECT_BYTES);
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), (int) shape[3]);
    for (int p = 0; p < pages.length; p++) {
      pages[p] = readPage(type);
    }
    return ColumnValues.of(pages, shape[1], validity);
  }

  private @Nullable RowBits readBits(long follows) throws IOException {
    if (follows == 0) {
      return null;
    }
    long size = follows == 1 ? readLongs(ForyCargoWriter.BITS_FIELDS)[0] : -1;
    RowBits bits = BitPages.allocate(size, memory);
    for (int p = 0; p < BitPages.count(size); p++) {
      BitPages.put(readLongs(BitPages.words(size, p)), bits, p);
    }
    return bits;
  }

  private static String requireName(@Nullable String name) throws ShipmentException {
    if (name == null) {
      throw new ShipmentException(Fault.DECODE, "null where a name belongs");
    }
    return name;
  }

  /** An array of so many elements that it needs no charge, or that was charged. */
  private long[] readLongs(int expected) throws IOException {
    return (long[]) readArray(ColumnType.LONG, requireElements(readHeader(), expected));
  }

  private String[] readNames(int expected) throws IOException {
    int elements = requireElements(readHeader(), expected);
    memory.charge(elements, MemoryAccount.OBJECT_BYTES);
    return (String[]) readArray(ColumnType.STRING, elements);
  }

  private Object readPage(ColumnType type) throws IOException {
    int elements = readHeader();
    memory.charge(elements, MemoryAccount.elementBytes(type));
    return readArray(type, elements);
  }

  private static int requireElements(int elements, int expected) throws ShipmentException {
    if (elements != expected) {
      throw new ShipmentException(
          Fault.DECODE,
          String.format(
              Locale.ROOT, "an array of %,d where one of %,d belongs", elements, expected));
    }
    return elements;
  }

  /** The elements of the array that follows, as the stream states them. */
  private int readHeader() throws IOException {
    fill(Integer.BYTES);
    return buffer.readInt32();
  }

  private Object readArray(ColumnType type, int elements) throws IOException {
    fill(Integer.BYTES);
    int bytes = buffer.readInt32();
    if (type.isFixedWidth()) {
      long values = (long) elements * type.widthBytes();
      if (bytes < values || bytes > values + ForyArrays.MAX_OVERHEAD_BYTES) {
        throw new ShipmentException(
            Fault.DECODE,
            String.format(
                Locale.ROOT, "%,d bytes where an array of %,d %s belongs", bytes, elements, type));
      }
    } else {
      memory.charge(bytes, 1);
    }
    fill(bytes);
    Object array = arrays.read(buffer, type, elements);
    if (buffer.remaining() > 0) {
      throw new ShipmentException(
          Fault.DECODE,
          String.format(Locale.ROOT, "%,d bytes behind an array", buffer.remaining()));
    }
    return array;
  }

  /** Puts the next bytes of the stream, for which there is memory, into the buffer. */
  private void fill(int bytes) throws IOException {
    if (scratch.length < bytes) {
      scratch = new byte[bytes];
    }
    int got = in.readNBytes(scratch, 0, bytes);
    if (got < bytes) {
      throw new EOFException(
          String.format(Locale.ROOT, "the stream ends after %,d of %,d bytes", got, bytes));
    }
    buffer.pointTo(scratch, 0, bytes);
    buffer.readerIndex(0);
  }
}
