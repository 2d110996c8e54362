package io.drayage.baseline.stream;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One segment in the format of the study's serializers: one dense array of the column's values, or
 * of strings, and, for a column with validity bits, a {@code long[]} of their words. A bit set is
 * its words alone. No value reaches its column before all of the segment was read.
 *
 * @param <W> writes arrays
 * @param <R> reads arrays
 */
public abstract class ArraySegmentSerializer<W, R> implements SegmentSerializer {
  /** Returns the most bytes of an array of values of fixed width. */
  protected abstract long maxBytes(ColumnType type, int count);

  /** Returns the most bytes of an array of the texts in the rows of a segment. */
  protected abstract long maxTextBytes(ColumnValues texts, Segment segment);

  /** Begins to write into {@code target}. */
  protected abstract W writer(ByteBuffer target) throws IOException;

  /** Writes an array of {@link #rows}, or words. */
  protected abstract void write(W writer, ColumnType type, Object array) throws IOException;

  /** Writes the buffered bytes after the last array. */
  protected abstract void finish(W writer, ByteBuffer target) throws IOException;

  /**
   * Begins to read all of {@code source}.
   *
   * @param maxArrayBytes the bytes that the arrays of a valid segment are charged
   */
  protected abstract R reader(ByteBuffer source, long maxArrayBytes) throws IOException;

  /** Reads exactly {@code count} values as an array, or as a page of texts. */
  protected abstract Object read(R reader, ColumnType type, int count) throws IOException;

  /** Checks whether unread bytes are left. */
  protected abstract boolean hasMore(R reader, ByteBuffer source) throws IOException;

  /** Returns the cause of an exception that a library threw because of broken bytes. */
  protected Exception explain(Exception thrown) {
    return thrown;
  }

  /** Returns the values of the segment's rows, as one array. */
  protected Object rows(ColumnValues values, Segment segment) {
    return values.type() == ColumnType.STRING
        ? StudyTexts.of(values, segment)
        : SegmentRows.dense(values, segment);
  }

  /** Puts the array of {@link #read} into its rows. */
  protected void putRows(Object rows, ColumnValues values, Segment segment) {
    SegmentRows.putDense(rows, values, segment);
  }

  @Override
  public final int maxSerializedBytes(Segment segment, PartContent content) {
    long bytes = 0;
    if (content instanceof ColumnValues values) {
      bytes =
          values.type().isFixedWidth()
              ? maxBytes(values.type(), segment.rowCount())
              : maxTextBytes(values, segment);
    }
    if (bitsOf(content) != null) {
      bytes += maxBytes(ColumnType.LONG, SegmentRows.wordCount(segment));
    }
    return Math.toIntExact(bytes);
  }

  /** Returns the bits of the content, which are the content itself, its validity bits, or null. */
  private static @Nullable RowBits bitsOf(PartContent content) {
    return content instanceof ColumnValues values ? values.validity() : (RowBits) content;
  }

  @Override
  public final void serialize(Segment segment, PartContent content, ByteBuffer target) {
    try {
      W writer = writer(target);
      if (content instanceof ColumnValues values) {
        write(writer, values.type(), rows(values, segment));
      }
      RowBits bits = bitsOf(content);
      if (bits != null) {
        write(writer, ColumnType.LONG, SegmentRows.words(bits, segment));
      }
      finish(writer, target);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into memory", e);
    }
  }

  @Override
  public final void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    try {
      read(segment, source, content);
    } catch (IllegalTextException e) {
      throw SegmentRows.malformed(segment, e);
    } catch (IOException | RuntimeException e) {
      Exception cause = explain(e);
      String message = cause.getMessage();
      throw new ShipmentException(
          Fault.DECODE,
          "%s cannot be read: %s"
              .formatted(segment, message == null ? cause.getClass().getSimpleName() : message),
          cause);
    }
  }

  private void read(Segment segment, ByteBuffer source, PartContent content) throws IOException {
    RowBits bits = bitsOf(content);
    int words = SegmentRows.wordCount(segment);
    int rows = segment.rowCount();
    long maxArrayBytes = (long) words * Long.BYTES;
    if (content instanceof ColumnValues values) {
      maxArrayBytes += (long) rows * MemoryAccount.elementBytes(values.type());
    }
    R reader = reader(source, maxArrayBytes);
    Object array =
        content instanceof ColumnValues values ? read(reader, values.type(), rows) : null;
    long @Nullable [] readWords =
        bits == null ? null : (long[]) read(reader, ColumnType.LONG, words);
    if (hasMore(reader, source)) {
      throw new IOException("there are bytes behind the last value");
    }
    if (array != null && content instanceof ColumnValues values) {
      putRows(array, values, segment);
    }
    if (bits != null && readWords != null) {
      SegmentRows.putWords(readWords, bits, segment);
    }
  }
}
