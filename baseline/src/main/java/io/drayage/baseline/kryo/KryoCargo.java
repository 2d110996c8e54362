package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.BitPages;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.TableContents;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cargo in Kryo's format for objects of registered classes without references: each object is its
 * fields, ordered by name, as Kryo's {@code FieldSerializer} and {@code RecordSerializer} write it.
 * These two cannot be used: they set private final fields by reflection or {@code Unsafe}, without
 * the checks of the model, and newer JDKs forbid it. Reading uses the model's builders.
 */
final class KryoCargo {
  /** The class number of a cargo. Frozen, because class numbers are on the wire. */
  static final int CHANGE_CARGO = 10;

  // Other classes would have numbers only with Kryo's own serializers. These numbers are reserved:
  // 11 TableChanges[], 12 TableChanges, 13 InsertedColumn[], 14 InsertedColumn, 15 ColumnUpdates[],
  // 16 ColumnUpdates, 17 ColumnValues, 18 RowBits, 19 ColumnType, 20 to 27 the pages of each type.

  /** The number of the column's type is added: 28 is {@code boolean[][]}, 35 that of texts. */
  static final int PAGE_TABLES = 27;

  /** The number that Kryo adds to a class number: 0 is null, 1 a class by its name. */
  static final int FIRST_CLASS = 2;

  private static final int BY_NAME = 1;

  private KryoCargo() {}

  /** Writes one cargo. */
  static void write(Output output, ChangeCargo cargo, KryoPages pages) {
    new Writer(output, pages).write(cargo);
  }

  private record Writer(Output output, KryoPages pages) {
    void write(ChangeCargo cargo) {
      output.writeVarInt(CHANGE_CARGO + FIRST_CLASS, true);
      output.writeVarLong(cargo.baseSnapshot(), false);
      writeLength(cargo.tables().size());
      for (TableChanges table : cargo.tables()) {
        output.writeByte(Kryo.NOT_NULL);
        write(table);
      }
      output.writeVarLong(cargo.transactionId().getMostSignificantBits(), false);
      output.writeVarLong(cargo.transactionId().getLeastSignificantBits(), false);
    }

    private void write(TableChanges table) {
      write(table.deletedRows());
      writeLength(table.insertedColumns().size());
      for (InsertedColumn inserted : table.insertedColumns()) {
        output.writeByte(Kryo.NOT_NULL);
        output.writeString(inserted.column());
        write(inserted.values());
      }
      output.writeString(table.table());
      writeLength(table.updates().size());
      for (ColumnUpdates update : table.updates()) {
        output.writeByte(Kryo.NOT_NULL);
        output.writeString(update.column());
        write(update.rowIds());
        write(update.values());
      }
    }

    private void write(ColumnValues values) {
      output.writeByte(Kryo.NOT_NULL);
      output.writeVarInt(PAGE_TABLES + values.type().id() + FIRST_CLASS, true);
      writeLength(values.pageCount());
      for (int p = 0; p < values.pageCount(); p++) {
        pages.write(output, values.page(p));
      }
      output.writeVarLong(values.rowCount(), false);
      output.writeVarInt(values.rowsPerPage(), false);
      output.writeVarInt(values.type().id(), true);
      write(values.validity());
    }

    private void write(@Nullable RowBits bits) {
      if (bits == null) {
        output.writeByte(Kryo.NULL);
        return;
      }
      output.writeByte(Kryo.NOT_NULL);
      int pageCount = BitPages.count(bits.size());
      writeLength(pageCount);
      for (int p = 0; p < pageCount; p++) {
        pages.write(output, BitPages.of(bits, p));
      }
      output.writeVarLong(bits.size(), false);
    }

    private void writeLength(int length) {
      output.writeVarInt(length + 1, true);
    }
  }

  /** Reads one cargo. Memory is charged before it is allocated. */
  static ChangeCargo read(Input input, KryoAccount account, KryoPages pages) {
    return new Reader(input, account, pages).read();
  }

  private record Reader(Input input, KryoAccount account, KryoPages pageFormat) {
    ChangeCargo read() {
      if (input.readVarInt(true) != CHANGE_CARGO + FIRST_CLASS) {
        throw KryoAccount.refusal("something else than a cargo");
      }
      long baseSnapshot = input.readVarLong(false);
      List<TableContents> tables = readArray(this::readTable);
      UUID transactionId = new UUID(input.readVarLong(false), input.readVarLong(false));
      ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, baseSnapshot);
      tables.forEach(table -> table.addTo(cargo));
      return cargo.build();
    }

    private TableContents readTable() {
      RowBits deleted = readBits();
      List<InsertedColumn> inserted =
          readArray(() -> new InsertedColumn(account.readString(input), readColumn()));
      String name = account.readString(input);
      List<ColumnUpdates> updates =
          readArray(() -> new ColumnUpdates(account.readString(input), readColumn(), readColumn()));
      return new TableContents(name, inserted, updates, deleted);
    }

    private <T> List<T> readArray(Supplier<T> element) {
      int length = account.readLength(input, MemoryAccount.OBJECT_BYTES);
      List<T> array = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        requireObject("a table or a column");
        array.add(element.get());
      }
      return array;
    }

    private void requireObject(String what) {
      if (input.readByte() != Kryo.NOT_NULL) {
        throw KryoAccount.refusal("a null where %s belongs".formatted(what));
      }
    }

    /** Reads a column, with the checks for pages of a user. */
    private ColumnValues readColumn() {
      requireObject("the values of a column");
      ColumnType type = readPagesType();
      Object[] pages =
          (Object[])
              Array.newInstance(
                  type.pageClass(), account.readLength(input, MemoryAccount.OBJECT_BYTES));
      for (int p = 0; p < pages.length; p++) {
        int length = account.readLength(input, pageFormat.rowBytes(type));
        pages[p] = pageFormat.readElements(input, type, length, account);
      }
      long rowCount = input.readVarLong(false);
      // Follows from the pages; without pages it does not matter.
      int unusedRowsPerPage = input.readVarInt(false);
      ColumnType stated = ColumnType.ofId(input.readVarInt(true));
      if (type != stated) {
        throw KryoAccount.refusal("pages of %s in a column that states %s".formatted(type, stated));
      }
      return ColumnValues.of(pages, rowCount, readBits());
    }

    private ColumnType readPagesType() {
      int number = input.readVarInt(true);
      if (number == BY_NAME) {
        throw KryoAccount.refusal("a class by its name");
      }
      int typeId = number - FIRST_CLASS - PAGE_TABLES;
      if (typeId < 1 || typeId > ColumnType.values().length) {
        throw KryoAccount.refusal(
            format("class %d where the pages of a column belong", number - FIRST_CLASS));
      }
      return ColumnType.ofId(typeId);
    }

    private @Nullable RowBits readBits() {
      if (input.readByte() == Kryo.NULL) {
        return null;
      }
      int pageCount = account.readLength(input, MemoryAccount.OBJECT_BYTES);
      List<long[]> pages = new ArrayList<>();
      for (int p = 0; p < pageCount; p++) {
        pages.add(input.readLongs(account.readLength(input, Long.BYTES), false));
      }
      long size = input.readVarLong(false);
      requireWholePages(size, pages);
      RowBits bits = new RowBits(size);
      for (int p = 0; p < pageCount; p++) {
        BitPages.put(pages.get(p), bits, p);
      }
      return bits;
    }

    /** Checks the pages before anything is allocated: the stream may state any size. */
    private static void requireWholePages(long size, List<long[]> pages) {
      boolean isWhole =
          size >= 0 && size <= ColumnValues.MAX_ROWS && pages.size() == BitPages.count(size);
      for (int p = 0; isWhole && p < pages.size(); p++) {
        isWhole = pages.get(p).length == BitPages.words(size, p);
      }
      if (!isWhole) {
        throw KryoAccount.refusal(format("a bit set whose pages do not hold %,d rows", size));
      }
    }
  }
}
