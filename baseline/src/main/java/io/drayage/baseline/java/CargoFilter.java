package io.drayage.baseline.java;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TextPage;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes that an object stream of a peer may contain: the cargo model, its arrays, and arrays
 * of primitives and strings. A page of texts is rejected: only an array of pages may replace an
 * array of strings, see {@link CargoObjects}. An array with which the arrays of the stream would
 * exceed a number of bytes is rejected before it is allocated. One per stream.
 */
final class CargoFilter implements ObjectInputFilter {
  /**
   * A cargo is nested nine deep: cargo, tables, table, columns, column, values, bits, pages, page.
   */
  static final int MAX_DEPTH = 16;

  private static final Set<Class<?>> ALLOWED =
      Set.of(
          ChangeCargo.class,
          TableChanges.class,
          TableChanges[].class,
          InsertedColumn.class,
          InsertedColumn[].class,
          ColumnUpdates.class,
          ColumnUpdates[].class,
          ColumnValues.class,
          RowBits.class,
          ColumnType.class,
          Enum.class,
          String.class,
          String[].class,
          String[][].class,
          TextPage[].class);

  private final MemoryAccount arrays;
  private @Nullable ShipmentException rejection;

  /**
   * @param arrays is charged with all arrays of the stream
   */
  CargoFilter(MemoryAccount arrays) {
    this.arrays = arrays;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > MAX_DEPTH) {
      return reject(format("objects nested deeper than %d", MAX_DEPTH));
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.ALLOWED;
    }
    if (!ALLOWED.contains(type) && !isArrayOfPrimitives(type)) {
      return reject("class " + type.getName() + ", which is no part of a cargo");
    }
    return info.arrayLength() < 0 ? Status.ALLOWED : chargeArray(type, info.arrayLength());
  }

  /** Names the rejected class if {@code failure} is a rejection; else returns it unchanged. */
  IOException explain(IOException failure) {
    return failure instanceof InvalidClassException && rejection != null ? rejection : failure;
  }

  private Status chargeArray(Class<?> type, long length) {
    try {
      arrays.charge(length, elementBytes(type.getComponentType()));
      return Status.ALLOWED;
    } catch (ShipmentException e) {
      rejection = e;
      return Status.REJECTED;
    }
  }

  private Status reject(String what) {
    rejection = new ShipmentException(Fault.DECODE, "the stream holds " + what);
    return Status.REJECTED;
  }

  private static boolean isArrayOfPrimitives(Class<?> type) {
    Class<?> component = type.getComponentType();
    return component != null
        && (isColumnPrimitive(component)
            || (component.isArray() && isColumnPrimitive(component.getComponentType())));
  }

  private static boolean isColumnPrimitive(Class<?> type) {
    return type.isPrimitive() && type != char.class;
  }

  private static int elementBytes(Class<?> component) {
    if (component == long.class || component == double.class) {
      return Long.BYTES;
    }
    if (component == int.class || component == float.class) {
      return Integer.BYTES;
    }
    if (component == short.class) {
      return Short.BYTES;
    }
    if (component == String.class) {
      return MemoryAccount.elementBytes(ColumnType.STRING);
    }
    return component.isPrimitive() ? 1 : MemoryAccount.OBJECT_BYTES;
  }
}
