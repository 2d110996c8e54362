package io.drayage.study.sikdar.form;

import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Part;
import edu.rice.dmodel.Supplier;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The fields of a batch of objects as columns. Each class has a table, in which nested objects
 * stand in the order of their occurrence; a list is a count. The first column has the number of
 * objects, and the number of columns of each table. Not thread-safe.
 *
 * @param <C> a column
 */
abstract class ColumnBatch<C> {
  /** The nested classes, numbered after the outermost class, which is 0. */
  private static final List<Class<?>> NESTED =
      List.of(Supplier.class, Part.class, LineItem.class, Order.class);

  /** The columns of one table, and the next one in the current object. */
  static final class Table<C> {
    final List<C> columns = new ArrayList<>();
    int next;
  }

  final List<Table<C>> tables = Stream.generate(Table<C>::new).limit(1 + NESTED.size()).toList();

  /** The table of the current object. */
  Table<C> current = tables.get(0);

  /** Ends an object; the next one starts with its first field. */
  final void endObject() {
    current.next = 0;
  }

  /** Enters a nested object of this class, and returns the table of the outer object. */
  final Table<C> enter(Class<?> type) {
    Table<C> outer = current;
    current = tables.get(1 + NESTED.indexOf(type));
    return outer;
  }

  final void leaveTo(Table<C> outer) {
    endObject();
    current = outer;
  }

  /** The values of one field so far, of one of the three types. */
  static final class Growing {
    private final ColumnType type;
    private final IntStream.Builder ints = IntStream.builder();
    private final DoubleStream.Builder doubles = DoubleStream.builder();
    private final TextBuilder texts = new TextBuilder();

    private Growing(ColumnType type) {
      this.type = type;
    }

    private ColumnValues content() {
      return switch (type) {
        case INT -> ColumnValues.of(new int[][] {ints.build().toArray()});
        case DOUBLE -> ColumnValues.of(new double[][] {doubles.build().toArray()});
        default -> ColumnValues.of(new TextPage[] {texts.build()});
      };
    }
  }

  /** Collects objects. */
  static final class Writer extends ColumnBatch<Growing> implements FieldWriter {
    private Growing next(ColumnType type) {
      if (current.next == current.columns.size()) {
        current.columns.add(new Growing(type));
      }
      return current.columns.get(current.next++);
    }

    @Override
    public void putInt(int value) {
      next(ColumnType.INT).ints.add(value);
    }

    @Override
    public void putDouble(double value) {
      next(ColumnType.DOUBLE).doubles.add(value);
    }

    @Override
    public void putString(String value) {
      next(ColumnType.STRING).texts.add(value);
    }

    @Override
    public <T> void putObject(T object, Class<T> type, BiConsumer<T, FieldWriter> fields) {
      Table<Growing> outer = enter(type);
      fields.accept(object, this);
      leaveTo(outer);
    }

    /** Returns the columns of {@code objects} objects. */
    List<ColumnValues> columns(int objects) {
      IntStream sizes = tables.stream().mapToInt(table -> table.columns.size());
      int[] first = IntStream.concat(IntStream.of(objects), sizes).toArray();
      List<ColumnValues> columns = new ArrayList<>(List.of(ColumnValues.of(new int[][] {first})));
      tables.forEach(table -> table.columns.forEach(column -> columns.add(column.content())));
      return columns;
    }
  }

  /** The values of one field, and the next one. */
  static final class Cursor {
    private final Object values;
    private int next;

    private Cursor(Object values) {
      this.values = values;
    }
  }

  /** Returns the objects of some columns in their order. */
  static final class Reader extends ColumnBatch<Cursor> implements FieldReader {
    private final int count;

    Reader(List<ColumnValues> columns) {
      int[] sizes = (int[]) columns.get(0).page(0);
      count = sizes[0];
      int next = 1;
      for (int t = 0; t < tables.size(); t++) {
        for (int c = 0; c < sizes[1 + t]; c++) {
          tables.get(t).columns.add(new Cursor(columns.get(next++).page(0)));
        }
      }
    }

    int count() {
      return count;
    }

    private Cursor next() {
      return current.columns.get(current.next++);
    }

    @Override
    public int getInt() {
      Cursor column = next();
      return ((int[]) column.values)[column.next++];
    }

    @Override
    public double getDouble() {
      Cursor column = next();
      return ((double[]) column.values)[column.next++];
    }

    @Override
    public String getString() {
      Cursor column = next();
      return ((TextPage) column.values).get(column.next++);
    }

    @Override
    public <T> T getObject(Class<T> type, Function<FieldReader, T> fields) {
      Table<Cursor> outer = enter(type);
      T object = fields.apply(this);
      leaveTo(outer);
      return object;
    }
  }
}
