package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.tables.TableException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.apache.arrow.vector.validate.ValidateUtil.ValidateException;
import org.jspecify.annotations.Nullable;

/**
 * Checks each batch of Arrow IPC before DuckDB reads it. DuckDB trusts offsets and indices: a wrong
 * one would read foreign memory, or end the process. Not thread-safe.
 */
final class ArrowBatchCheck {
  /** The largest number of a decimal's digits that a long holds. */
  private static final int MAX_LONG_DIGITS = 18;

  private static final int VIEW_BYTES = BaseVariableWidthViewVector.ELEMENT_SIZE;

  /** Bytes of a continuation marker and a length. Older writers have only the length. */
  private static final int PREFIX_BYTES = 8;

  private final Path file;

  /** Dictionaries that were checked since they were loaded. */
  private final Set<Long> known = new HashSet<>();

  private long before;
  private @Nullable TableException failure;

  ArrowBatchCheck(Path file) {
    this.file = file;
  }

  /** Returns the reason why a batch was refused; null if none was. */
  @Nullable TableException failure() {
    return failure;
  }

  /**
   * Checks the loaded batch.
   *
   * @throws TableException if it is damaged, with column and row
   */
  void require(ArrowReader batches) throws IOException {
    for (FieldVector vector : batches.getVectorSchemaRoot().getFieldVectors()) {
      try {
        check(vector, batches);
      } catch (ValidateException e) {
        failure =
            new TableException(
                format(
                    "%s, column '%s', in the rows from %,d on: it is damaged: %s",
                    file, vector.getName(), before + 1, e.getMessage()),
                e);
        throw failure;
      }
    }
    before += batches.getVectorSchemaRoot().getRowCount();
  }

  /** Records that a dictionary was loaded, or loaded again. */
  void loaded(long dictionary) {
    known.remove(dictionary);
  }

  /**
   * Requires that the stream continues with a message, or with its end mark, a zero in place of a
   * message's length. Arrow's format allows a writer to omit the end mark. A stream that is cut off
   * between two batches would look complete then.
   *
   * @throws TableException if the file ends there
   */
  void requireNext(FileChannel channel) throws IOException {
    ByteBuffer next = ByteBuffer.allocate(PREFIX_BYTES);
    while (next.hasRemaining() && channel.read(next, channel.position() + next.position()) >= 0) {}
    boolean isOldEnd = next.position() >= Integer.BYTES && next.getInt(0) == 0;
    if (next.hasRemaining() && !isOldEnd) {
      failure =
          new TableException(
              format(
                  "%s: its stream of Arrow has no end-of-stream marker: it may be cut off at byte %,d: write it again, or append the marker if you know that it is complete: printf '\\377\\377\\377\\377\\0\\0\\0\\0'",
                  file, channel.size()));
      throw failure;
    }
  }

  /**
   * Requires that nothing follows the stream.
   *
   * @throws TableException if the file has more, such as another stream
   */
  void requireEnd(FileChannel channel) throws IOException {
    if (channel.position() < channel.size()) {
      failure =
          new TableException(
              format(
                  "%s: its stream of Arrow ends at byte %,d of %,d: the rest would be lost",
                  file, channel.position(), channel.size()));
      throw failure;
    }
  }

  private void check(FieldVector vector, DictionaryProvider dictionaries) {
    ValueVectorUtility.validate(vector);
    int count = vector.getValueCount();
    if (vector instanceof BaseVariableWidthVector) {
      checkOffsets(vector.getOffsetBuffer(), count, false, vector.getDataBuffer().capacity());
    } else if (vector instanceof BaseLargeVariableWidthVector) {
      checkOffsets(vector.getOffsetBuffer(), count, true, vector.getDataBuffer().capacity());
    } else if (vector instanceof ListVector lists) {
      checkOffsets(vector.getOffsetBuffer(), count, false, lists.getDataVector().getValueCount());
    } else if (vector instanceof LargeListVector lists) {
      checkOffsets(vector.getOffsetBuffer(), count, true, lists.getDataVector().getValueCount());
    } else if (vector instanceof BaseVariableWidthViewVector views) {
      checkViews(views);
    } else if (vector instanceof DecimalVector decimals) {
      checkDecimals(decimals);
    }
    DictionaryEncoding encoding = vector.getField().getDictionary();
    if (encoding != null && vector instanceof BaseIntVector indices) {
      checkIndices(indices, dictionaries.lookup(encoding.getId()), dictionaries);
    }
    vector.getChildrenFromFields().forEach(child -> check(child, dictionaries));
  }

  private static void checkOffsets(ArrowBuf offsets, int count, boolean areLong, long limit) {
    long last = 0;
    for (int i = 0; count > 0 && i <= count; i++) {
      long offset =
          areLong
              ? offsets.getLong((long) i * Long.BYTES)
              : offsets.getInt((long) i * Integer.BYTES);
      if (offset < last || offset > limit) {
        throw new ValidateException(
            format("offset %,d of value %,d is not from %,d to %,d", offset, i, last, limit));
      }
      last = offset;
    }
  }

  /** Checks the layout "Variable-size Binary View Layout" of Arrow's columnar format. */
  private static void checkViews(BaseVariableWidthViewVector vector) {
    ArrowBuf views = vector.getDataBuffer();
    List<ArrowBuf> buffers = vector.getDataBuffers();
    for (int i = 0; i < vector.getValueCount(); i++) {
      long at = (long) i * VIEW_BYTES;
      int length = vector.isNull(i) ? 0 : views.getInt(at);
      if (length < 0) {
        throw new ValidateException(format("value %,d has the length %,d", i, length));
      }
      if (length > BaseVariableWidthViewVector.INLINE_SIZE) {
        int prefix = views.getInt(at + Integer.BYTES);
        int buffer = views.getInt(at + 2 * Integer.BYTES);
        int offset = views.getInt(at + 3 * Integer.BYTES);
        if (buffer < 0
            || buffer >= buffers.size()
            || offset < 0
            || (long) offset + length > buffers.get(buffer).capacity()) {
          throw new ValidateException(
              format(
                  "value %,d would lie at byte %,d of buffer %,d, and be %,d long",
                  i, offset, buffer, length));
        }
        if (buffers.get(buffer).getInt(offset) != prefix) {
          throw new ValidateException(format("the view of value %,d has another beginning", i));
        }
      }
    }
  }

  private void checkIndices(
      BaseIntVector indices, @Nullable Dictionary dictionary, DictionaryProvider dictionaries) {
    if (dictionary == null) {
      throw new ValidateException("it has no dictionary");
    }
    if (known.add(dictionary.getEncoding().getId())) {
      check(dictionary.getVector(), dictionaries);
    }
    int size = dictionary.getVector().getValueCount();
    for (int i = 0; i < indices.getValueCount(); i++) {
      if (!indices.isNull(i)
          && (indices.getValueAsLong(i) < 0 || indices.getValueAsLong(i) >= size)) {
        throw new ValidateException(
            format(
                "index %,d of value %,d is not in the dictionary of %,d",
                indices.getValueAsLong(i), i, size));
      }
    }
  }

  /** Checks 128-bit decimals: one of up to 18 digits must equal its lower 64 bits. */
  private static void checkDecimals(DecimalVector vector) {
    boolean isLong = vector.getPrecision() <= MAX_LONG_DIGITS;
    BigInteger limit = BigInteger.TEN.pow(vector.getPrecision());
    long longLimit = isLong ? limit.longValue() : 0;
    ArrowBuf data = vector.getDataBuffer();
    for (int i = 0; i < vector.getValueCount(); i++) {
      long at = (long) i * DecimalVector.TYPE_WIDTH;
      long low = data.getLong(at);
      boolean fits =
          isLong
              ? low > -longLimit
                  && low < longLimit
                  && data.getLong(at + Long.BYTES) == low >> (Long.SIZE - 1)
              : vector.isNull(i) || vector.getObject(i).unscaledValue().abs().compareTo(limit) < 0;
      if (!fits && !vector.isNull(i)) {
        throw new ValidateException(
            format(
                "%s of value %,d has more digits than the %d of its type",
                vector.getObject(i).toPlainString(), i, vector.getPrecision()));
      }
    }
  }
}
