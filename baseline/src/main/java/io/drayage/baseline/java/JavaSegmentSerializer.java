package io.drayage.baseline.java;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.ArraySegmentSerializer;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextPage;
import io.drayage.codec.SegmentRows;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.memory.ByteBufferOutputStream;
import io.drayage.segment.Segment;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads one segment as Java serialization writes arrays. Floating-point values are
 * written as their bits, because object streams change every NaN to the canonical one.
 */
final class JavaSegmentSerializer
    extends ArraySegmentSerializer<ObjectOutputStream, JavaSegmentSerializer.Filtered> {
  /** The stream's header, plus class and length of an array. */
  private static final int OVERHEAD_BYTES = 128;

  /** Type and length before a text; a reference to an earlier text is shorter. */
  private static final int TEXT_OVERHEAD_BYTES = 9;

  /** Java's modified UTF-8 has two bytes for U+0000, and six for a character of four bytes. */
  private static final int MAX_BYTES_PER_BYTE = 2;

  @Override
  protected long maxBytes(ColumnType type, int count) {
    return OVERHEAD_BYTES + (long) count * type.widthBytes();
  }

  @Override
  protected long maxTextBytes(ColumnValues texts, Segment segment) {
    return OVERHEAD_BYTES
        + SegmentRows.maxTextBytes(texts, segment, TEXT_OVERHEAD_BYTES, MAX_BYTES_PER_BYTE);
  }

  @Override
  protected Object rows(ColumnValues values, Segment segment) {
    return values.type() == ColumnType.STRING
        ? super.rows(values, segment)
        : SegmentRows.exact(values, segment);
  }

  @Override
  protected void putRows(Object rows, ColumnValues values, Segment segment) {
    if (values.type() == ColumnType.STRING) {
      super.putRows(rows, values, segment);
    } else {
      SegmentRows.putExact(rows, values, segment);
    }
  }

  @Override
  protected ObjectOutputStream writer(ByteBuffer target) throws IOException {
    return new ObjectOutputStream(new ByteBufferOutputStream(target));
  }

  @Override
  protected void write(ObjectOutputStream objects, ColumnType type, Object array)
      throws IOException {
    objects.writeObject(array);
  }

  @Override
  protected void finish(ObjectOutputStream objects, ByteBuffer target) throws IOException {
    objects.flush();
  }

  @Override
  protected Filtered reader(ByteBuffer source, long maxArrayBytes) throws IOException {
    return new Filtered(
        new ObjectInputStream(new ByteBufferInputStream(source)),
        new CargoFilter(new MemoryAccount(maxArrayBytes)));
  }

  @Override
  protected Object read(Filtered reader, ColumnType type, int count) throws IOException {
    Class<?> expected = type == ColumnType.STRING ? String[].class : SegmentRows.exactClass(type);
    Object array = reader.next();
    if (!expected.isInstance(array) || Array.getLength(array) != count) {
      throw new IOException(
          format(
              "%s where %s with %,d elements belongs",
              describe(array), expected.getSimpleName(), count));
    }
    return array instanceof String[] strings ? texts(strings) : array;
  }

  private static TextPage texts(String[] strings) throws IOException {
    long least = CargoObjects.leastBytes(strings);
    if (least > Segment.MAX_RAW_BYTES) {
      throw new IOException(
          format(
              "its texts need %,d bytes or more, the limit is %,d", least, Segment.MAX_RAW_BYTES));
    }
    return TextPage.of(strings);
  }

  private static String describe(@Nullable Object found) {
    if (found == null) {
      return "null";
    }
    String type = found.getClass().getSimpleName();
    return found.getClass().isArray()
        ? format("%s with %,d elements", type, Array.getLength(found))
        : type;
  }

  @Override
  protected boolean hasMore(Filtered reader, ByteBuffer source) {
    return source.hasRemaining();
  }

  /** An object stream behind a filter. */
  record Filtered(ObjectInputStream objects, CargoFilter filter) {
    Filtered {
      objects.setObjectInputFilter(filter);
    }

    @Nullable Object next() throws IOException {
      try {
        return objects.readObject();
      } catch (ClassNotFoundException e) {
        throw new IOException(e.getMessage(), e);
      } catch (IOException e) {
        throw filter.explain(e);
      }
    }
  }
}
