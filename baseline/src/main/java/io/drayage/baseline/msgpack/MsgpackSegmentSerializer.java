package io.drayage.baseline.msgpack;

import static io.drayage.internal.Texts.format;

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
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/**
 * Writes and reads one segment as MessagePack, see {@link MsgpackArrays}. Values are copied through
 * the packer's buffer of 8 kB into the target, because the library can address a direct buffer only
 * if the JDK's internals are opened to it.
 */
final class MsgpackSegmentSerializer extends ArraySegmentSerializer<MessagePacker, MsgpackArrays> {
  /** The most bytes of the header of an array or a string. */
  private static final int HEADER_BYTES = 5;

  @Override
  protected long maxBytes(ColumnType type, int count) {
    // One byte states the type; a boolean is only this byte, and bytes have none.
    int valueBytes = type.widthBytes() == 1 ? 1 : 1 + type.widthBytes();
    return HEADER_BYTES + (long) count * valueBytes;
  }

  @Override
  protected long maxTextBytes(ColumnValues texts, Segment segment) {
    return HEADER_BYTES + SegmentRows.maxTextBytes(texts, segment, HEADER_BYTES, 1);
  }

  @Override
  protected MessagePacker writer(ByteBuffer target) {
    return MessagePack.newDefaultPacker(new ByteBufferOutputStream(target));
  }

  @Override
  protected void write(MessagePacker packer, ColumnType type, Object array) throws IOException {
    MsgpackArrays.write(packer, type, array);
  }

  @Override
  protected void finish(MessagePacker packer, ByteBuffer target) throws IOException {
    packer.flush();
  }

  /** Charges all texts together no more than the bytes of the segment. */
  @Override
  protected MsgpackArrays reader(ByteBuffer source, long maxArrayBytes) {
    MemoryAccount memory = new MemoryAccount(source.remaining());
    return new MsgpackArrays(
        MessagePack.newDefaultUnpacker(new ByteBufferInputStream(source)), memory);
  }

  @Override
  protected Object read(MsgpackArrays arrays, ColumnType type, int count) throws IOException {
    int length = arrays.readHeader(type);
    if (length != count) {
      throw new IOException(format("an array of %,d where one of %,d belongs", length, count));
    }
    return arrays.read(type, count);
  }

  @Override
  protected boolean hasMore(MsgpackArrays arrays, ByteBuffer source) throws IOException {
    return arrays.hasNext();
  }
}
