package io.drayage.serializer;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What may come out of an object stream that a peer wrote: the cargo model, its arrays and arrays
 * of primitives and text. Everything else is rejected, and so is an array that would make the
 * arrays of the stream exceed a number of bytes, before it is allocated. For one stream.
 */
final class CargoFilter implements ObjectInputFilter {
  /** The most elements of one array: 2 GiB of longs. */
  static final int MAX_ARRAY_LENGTH = 1 << 28;

  /**
   * A cargo is nested nine deep: cargo, tables, table, columns, column, values, bits, pages, page.
   */
  static final int MAX_DEPTH = 16;

  /** What an array element that is no primitive is charged: a reference and a small object. */
  private static final int ELEMENT_BYTES = 48;

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
          String[][].class);

  private final long maxArrayBytes;
  private long arrayBytes;
  private @Nullable ShipmentException rejection;

  /**
   * @param maxArrayBytes the most bytes that all arrays of the stream may take together
   */
  CargoFilter(long maxArrayBytes) {
    this.maxArrayBytes = maxArrayBytes;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > MAX_DEPTH) {
      return reject(Fault.DECODE, "objects nested deeper than %d".formatted(MAX_DEPTH));
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.ALLOWED;
    }
    if (!ALLOWED.contains(type) && !isArrayOfPrimitives(type)) {
      return reject(Fault.DECODE, "class " + type.getName() + ", which is no part of a cargo");
    }
    return info.arrayLength() < 0 ? Status.ALLOWED : chargeArray(type, info.arrayLength());
  }

  /** Names what was rejected, if {@code failure} is a rejection; else returns it as it is. */
  IOException explain(IOException failure) {
    return failure instanceof InvalidClassException && rejection != null ? rejection : failure;
  }

  /** What one value of {@code type} is charged. */
  static int elementBytes(ColumnType type) {
    return type.isFixedWidth() ? type.widthBytes() : ELEMENT_BYTES;
  }

  private Status chargeArray(Class<?> type, long length) {
    if (length > MAX_ARRAY_LENGTH) {
      return reject(
          Fault.LIMIT,
          "an array of %,d elements; the limit is %,d".formatted(length, MAX_ARRAY_LENGTH));
    }
    arrayBytes += length * elementBytes(type.getComponentType());
    return arrayBytes <= maxArrayBytes
        ? Status.ALLOWED
        : reject(
            Fault.LIMIT,
            "arrays of %,d bytes or more; the limit is %,d".formatted(arrayBytes, maxArrayBytes));
  }

  private Status reject(Fault fault, String what) {
    rejection = new ShipmentException(fault, "the stream holds " + what);
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
    return component.isPrimitive() ? 1 : ELEMENT_BYTES;
  }
}
