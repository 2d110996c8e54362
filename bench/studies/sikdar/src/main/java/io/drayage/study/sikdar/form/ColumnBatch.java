package io.drayage.study.sikdar.form;

import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The fields of a batch of objects as columns: a table for each class, in which nested objects
 * stand in the order in which they are met, and a count in place of a list.
 *
 * <pre>
 *   objects (i4) | per column: table (i1), type (i1), rows (i4), length (i4), segment
 * </pre>
 */
final class ColumnBatch {
  /** Behind the outermost class, whose number is 0. */
  private static final List<Class<?>> NESTED =
      List.of(Supplier.class, Part.class, LineItem.class, Order.class);

  private static final int COLUMN_HEADER_BYTES = 10;

  /** Columns of one table, and which is next in the current object. */
  private static final class Table {
    final List<Column> columns = new ArrayList<>();
    int next;

    Column writable(ColumnType type) {
      if (next == columns.size()) {
        columns.add(new Column(type));
      }
      return columns.get(next++);
    }

    Column readable() {
      return columns.get(next++);
    }
  }

  private ColumnBatch() {}

  /** The tables, and which of them has the current object. */
  private abstract static class Tables {
    final List<Table> tables = new ArrayList<>();
    Table current;

    Tables() {
      for (int i = 0; i <= NESTED.size(); i++) {
        tables.add(new Table());
      }
      current = tables.get(0);
    }

    /** Has the next object start with its first field. */
    final void endObject() {
      current.next = 0;
    }

    /** Goes to a nested object of this class; the result is where to go back to. */
    final Table enter(Class<?> type) {
      Table outer = current;
      current = tables.get(1 + NESTED.indexOf(type));
      return outer;
    }

    final void leaveTo(Table outer) {
      endObject();
      current = outer;
    }
  }

  /** Collects objects and encodes them. */
  static final class Writer extends Tables implements FieldWriter {
    @Override
    public void putInt(int value) {
      current.writable(ColumnType.INT).add(value);
    }

    @Override
    public void putDouble(double value) {
      current.writable(ColumnType.DOUBLE).add(value);
    }

    @Override
    public void putString(String value) {
      current.writable(ColumnType.STRING).add(value);
    }

    @Override
    public <T> void putObject(T object, Class<T> type, BiConsumer<T, FieldWriter> fields) {
      Table outer = enter(type);
      fields.accept(object, this);
      leaveTo(outer);
    }

    /** The page of all objects. */
    ByteBuffer page(String serializerName, int objects) {
      SegmentSerializer serializer = Serializers.ofName(serializerName).newSegmentSerializer();
      try {
        ByteBuffer page = littleEndian(PageFormat.PAGE_BYTES).putInt(objects);
        for (int t = 0; t < tables.size(); t++) {
          for (Column column : tables.get(t).columns) {
            ColumnValues content = column.content();
            Segment segment = Column.segment(content);
            int most = serializer.maxSerializedBytes(segment, content);
            page = withRoom(page, COLUMN_HEADER_BYTES + most);
            page.put((byte) t).put((byte) column.type().id()).putInt(column.rows());
            int length = page.position();
            page.putInt(0);
            serializer.serialize(segment, content, page);
            page.putInt(length, page.position() - length - Integer.BYTES);
          }
        }
        return page.flip();
      } finally {
        serializer.close();
      }
    }

    private static ByteBuffer withRoom(ByteBuffer page, int bytes) {
      return page.remaining() >= bytes
          ? page
          : littleEndian(2 * page.capacity() + bytes).put(page.flip());
    }

    private static ByteBuffer littleEndian(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Decodes a page and gives its objects in their order. */
  static final class Reader extends Tables implements FieldReader {
    private final int count;

    private Reader(int count) {
      this.count = count;
    }

    static Reader of(String serializerName, ByteBuffer page) throws ShipmentException {
      SegmentSerializer serializer = Serializers.ofName(serializerName).newSegmentSerializer();
      try {
        ByteBuffer bytes = page.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        Reader reader = new Reader(bytes.getInt());
        while (bytes.hasRemaining()) {
          Table table = reader.tables.get(bytes.get());
          ColumnType type = ColumnType.ofId(bytes.get());
          int rows = bytes.getInt();
          int length = bytes.getInt();
          ByteBuffer segment = bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN);
          bytes.position(bytes.position() + length);
          ColumnValues content = ColumnValues.allocate(type, rows, false);
          serializer.deserialize(Column.segment(type, rows, length), segment, content);
          table.columns.add(new Column(content));
        }
        return reader;
      } finally {
        serializer.close();
      }
    }

    int count() {
      return count;
    }

    @Override
    public int getInt() {
      return current.readable().nextInt();
    }

    @Override
    public double getDouble() {
      return current.readable().nextDouble();
    }

    @Override
    public String getString() {
      return current.readable().nextString();
    }

    @Override
    public <T> T getObject(Class<T> type, Function<FieldReader, T> fields) {
      Table outer = enter(type);
      T object = fields.apply(this);
      leaveTo(outer);
      return object;
    }
  }
}
