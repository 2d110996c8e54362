package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.ColumnType;
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
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One segment as Kryo writes it: one dense array of the column's values and, for a column with
 * validity bits, a {@code long[]} of their words; of a bit set, its words alone.
 *
 * <p>Kryo's buffers for {@code ByteBuffer} are not used: the unsafe ones need access to a package
 * that the JDK does not export, and all of them take a buffer's capacity for its limit.
 */
final class KryoSegmentSerializer implements SegmentSerializer {
  private static final int BUFFER_BYTES = 64 << 10;

  /** Of an array's length. */
  private static final int HEAD_BYTES = 5;

  /** Of Kryo's UTF-8, which encodes each UTF-16 code unit by itself. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  private static final int MAX_VAR_INT_BYTES = 5;
  private static final int MAX_VAR_LONG_BYTES = 9;

  private final boolean isVariableLength;
  private final Output output;
  private final Input input;

  KryoSegmentSerializer(KryoSerializer kryo) {
    this.isVariableLength = kryo.isVariableLength();
    this.output = kryo.newOutput(BUFFER_BYTES);
    this.input = kryo.newInput(BUFFER_BYTES);
  }

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    if (!(content instanceof ColumnValues values)) {
      return maxWordBytes(segment);
    }
    long bytes = (long) HEAD_BYTES + (values.validity() == null ? 0 : maxWordBytes(segment));
    bytes +=
        values.type().isFixedWidth()
            ? (long) segment.rowCount() * maxBytes(values.type())
            : SegmentRows.maxTextBytes(values, segment, HEAD_BYTES, MAX_BYTES_PER_CHAR);
    return Math.toIntExact(bytes);
  }

  private int maxWordBytes(Segment segment) {
    return HEAD_BYTES + SegmentRows.wordCount(segment) * maxBytes(ColumnType.LONG);
  }

  /** Of one value. */
  private int maxBytes(ColumnType type) {
    if (isVariableLength && type == ColumnType.LONG) {
      return MAX_VAR_LONG_BYTES;
    }
    return isVariableLength && type == ColumnType.INT ? MAX_VAR_INT_BYTES : type.widthBytes();
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    output.setOutputStream(new ByteBufferOutputStream(target));
    if (content instanceof ColumnValues values) {
      new KryoPages(values.type()).writePage(output, SegmentRows.dense(values, segment));
      RowBits validity = values.validity();
      if (validity != null) {
        writeWords(validity, segment);
      }
    } else {
      writeWords((RowBits) content, segment);
    }
    output.flush();
  }

  private void writeWords(RowBits bits, Segment segment) {
    new KryoPages(ColumnType.LONG).writePage(output, SegmentRows.words(bits, segment));
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    // A text takes at least a byte a character.
    KryoAccount texts = new KryoAccount(source.remaining());
    input.setInputStream(new ByteBufferInputStream(source));
    try {
      if (content instanceof ColumnValues values) {
        readValues(segment, values, texts);
      } else {
        long[] words = readWords(segment, texts);
        requireEnd();
        SegmentRows.putWords(words, (RowBits) content, segment);
      }
    } catch (IOException | RuntimeException e) {
      throw decodeFailure(segment, e);
    }
  }

  private void readValues(Segment segment, ColumnValues values, KryoAccount texts)
      throws IOException {
    Object rows = readArray(values.type(), segment.rowCount(), texts);
    RowBits validity = values.validity();
    long @Nullable [] words = validity == null ? null : readWords(segment, texts);
    requireEnd();
    SegmentRows.putDense(rows, values, segment);
    if (validity != null && words != null) {
      SegmentRows.putWords(words, validity, segment);
    }
  }

  private long[] readWords(Segment segment, KryoAccount texts) throws IOException {
    return (long[]) readArray(ColumnType.LONG, SegmentRows.wordCount(segment), texts);
  }

  private Object readArray(ColumnType type, int length, KryoAccount texts) throws IOException {
    long found = input.readVarInt(true) - 1L;
    if (found != length) {
      throw new IOException("an array of %,d elements where %,d belong".formatted(found, length));
    }
    return new KryoPages(type).readElements(input, length, texts);
  }

  private void requireEnd() throws IOException {
    if (!input.end()) {
      throw new IOException("there are bytes behind the last value");
    }
  }

  private static ShipmentException decodeFailure(Segment segment, Exception failure) {
    IOException cause =
        failure instanceof RuntimeException broken
            ? KryoSerializer.explain(broken)
            : (IOException) failure;
    return new ShipmentException(
        Fault.DECODE, "%s cannot be read: %s".formatted(segment, cause.getMessage()), cause);
  }
}
