package io.drayage.baseline.java;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.memory.ByteBufferOutputStream;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One segment as Java serialization writes it: one dense array of the column's values and, for a
 * column with validity bits, a {@code long[]} of their words; of a bit set, its words alone.
 *
 * <p>Rows that have bits must begin at a multiple of 64, so that segments share no word.
 */
final class JavaSegmentSerializer implements SegmentSerializer {
  /** The stream's header, and class and length of two arrays. */
  private static final int OVERHEAD_BYTES = 256;

  /** Type and length before a text; a reference to one that was written before is shorter. */
  private static final int TEXT_OVERHEAD_BYTES = 9;

  /** Of Java's modified UTF-8. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    long bytes = OVERHEAD_BYTES;
    if (content instanceof ColumnValues values) {
      bytes += values.validity() == null ? 0 : (long) SegmentRows.wordCount(segment) * Long.BYTES;
      bytes +=
          values.type().isFixedWidth()
              ? (long) segment.rowCount() * values.type().widthBytes()
              : SegmentRows.maxTextBytes(values, segment, TEXT_OVERHEAD_BYTES, MAX_BYTES_PER_CHAR);
    } else {
      bytes += (long) SegmentRows.wordCount(segment) * Long.BYTES;
    }
    return Math.toIntExact(bytes);
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    try {
      ObjectOutputStream objects = new ObjectOutputStream(new ByteBufferOutputStream(target));
      if (content instanceof ColumnValues values) {
        objects.writeObject(SegmentRows.exact(values, segment));
        RowBits validity = values.validity();
        if (validity != null) {
          objects.writeObject(SegmentRows.words(validity, segment));
        }
      } else {
        objects.writeObject(SegmentRows.words((RowBits) content, segment));
      }
      objects.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into memory", e);
    }
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    CargoFilter filter = new CargoFilter(maxArrayBytes(segment, content));
    try {
      ObjectInputStream objects = new ObjectInputStream(new ByteBufferInputStream(source));
      objects.setObjectInputFilter(filter);
      if (content instanceof ColumnValues values) {
        readValues(segment, objects, values);
      } else {
        SegmentRows.putWords(readWords(segment, objects), (RowBits) content, segment);
      }
      if (source.hasRemaining()) {
        throw new IOException("there are bytes behind the last value");
      }
    } catch (IOException e) {
      throw decodeFailure(segment, filter.explain(e));
    } catch (ClassNotFoundException | RuntimeException e) {
      throw decodeFailure(segment, e);
    }
  }

  private static void readValues(Segment segment, ObjectInputStream objects, ColumnValues values)
      throws IOException, ClassNotFoundException {
    Object rows = read(objects, SegmentRows.exactClass(values.type()), segment.rowCount());
    RowBits validity = values.validity();
    long @Nullable [] words = validity == null ? null : readWords(segment, objects);
    SegmentRows.putExact(rows, values, segment);
    if (validity != null && words != null) {
      SegmentRows.putWords(words, validity, segment);
    }
  }

  private static long[] readWords(Segment segment, ObjectInputStream objects)
      throws IOException, ClassNotFoundException {
    return (long[]) read(objects, long[].class, SegmentRows.wordCount(segment));
  }

  private static Object read(ObjectInputStream objects, Class<?> type, int length)
      throws IOException, ClassNotFoundException {
    Object array = objects.readObject();
    if (!type.isInstance(array) || Array.getLength(array) != length) {
      throw new IOException(
          "%s where %s with %,d elements belongs"
              .formatted(describe(array), type.getSimpleName(), length));
    }
    return array;
  }

  private static String describe(@Nullable Object found) {
    if (found == null) {
      return "null";
    }
    String type = found.getClass().getSimpleName();
    return found.getClass().isArray()
        ? "%s with %,d elements".formatted(type, Array.getLength(found))
        : type;
  }

  /** What the filter charges for the arrays of an honest segment. */
  private static long maxArrayBytes(Segment segment, PartContent content) {
    long bits = (long) SegmentRows.wordCount(segment) * Long.BYTES;
    return content instanceof ColumnValues values
        ? bits + (long) segment.rowCount() * MemoryAccount.elementBytes(values.type())
        : bits;
  }

  private static ShipmentException decodeFailure(Segment segment, Exception cause) {
    return new ShipmentException(
        Fault.DECODE, "%s cannot be read: %s".formatted(segment, cause.getMessage()), cause);
  }
}
