package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.ArraySegmentSerializer;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentRows;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.memory.ByteBufferOutputStream;
import io.drayage.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes and reads one segment as Kryo writes arrays.
 *
 * <p>Kryo's buffers for {@code ByteBuffer} are not used. The unsafe ones need access to a package
 * that the JDK does not export, and all of them use a buffer's capacity as its limit.
 */
final class KryoSegmentSerializer extends ArraySegmentSerializer<Output, KryoAccount> {
  private static final int BUFFER_BYTES = 64 << 10;

  /** The most bytes of an array's length. */
  private static final int HEAD_BYTES = 5;

  /** Kryo encodes each UTF-16 code unit: a character of four bytes needs six. */
  private static final int MAX_BYTES_PER_BYTE = 2;

  private static final int MAX_VAR_INT_BYTES = 5;
  private static final int MAX_VAR_LONG_BYTES = 9;

  private final boolean isVariableLength;
  private final KryoPages pages;
  private final Output output;
  private final Input input;

  KryoSegmentSerializer(KryoSerializer kryo) {
    this.isVariableLength = kryo.isVariableLength();
    this.pages = kryo.pages();
    this.output = kryo.newOutput(BUFFER_BYTES);
    this.input = kryo.newInput(BUFFER_BYTES);
  }

  @Override
  protected long maxBytes(ColumnType type, int count) {
    int valueBytes = type.widthBytes();
    if (isVariableLength && type == ColumnType.LONG) {
      valueBytes = MAX_VAR_LONG_BYTES;
    } else if (isVariableLength && type == ColumnType.INT) {
      valueBytes = MAX_VAR_INT_BYTES;
    }
    return HEAD_BYTES + (long) count * valueBytes;
  }

  @Override
  protected long maxTextBytes(ColumnValues texts, Segment segment) {
    return pages.carriesStrings()
        ? HEAD_BYTES + SegmentRows.maxTextBytes(texts, segment, HEAD_BYTES, MAX_BYTES_PER_BYTE)
        : HEAD_BYTES + Integer.BYTES + SegmentRows.maxTextBytes(texts, segment, Integer.BYTES, 1);
  }

  @Override
  protected Object rows(ColumnValues values, Segment segment) {
    return values.type() == ColumnType.STRING && !pages.carriesStrings()
        ? SegmentRows.texts(values, segment)
        : super.rows(values, segment);
  }

  @Override
  protected Output writer(ByteBuffer target) {
    output.setOutputStream(new ByteBufferOutputStream(target));
    return output;
  }

  @Override
  protected void write(Output writer, ColumnType type, Object array) {
    pages.write(writer, array);
  }

  @Override
  protected void finish(Output writer, ByteBuffer target) {
    writer.flush();
  }

  /** Charges a text at least one byte a character. */
  @Override
  protected KryoAccount reader(ByteBuffer source, long maxArrayBytes) {
    input.setInputStream(new ByteBufferInputStream(source));
    return new KryoAccount(new MemoryAccount(source.remaining()));
  }

  @Override
  protected Object read(KryoAccount texts, ColumnType type, int count) throws IOException {
    long found = input.readVarInt(true) - 1L;
    if (found != count) {
      throw new IOException(format("an array of %,d elements where %,d belong", found, count));
    }
    return pages.readElements(input, type, count, texts);
  }

  @Override
  protected boolean hasMore(KryoAccount texts, ByteBuffer source) {
    return !input.end();
  }

  @Override
  protected Exception explain(Exception thrown) {
    return thrown instanceof RuntimeException broken ? KryoSerializer.explain(broken) : thrown;
  }
}
