package io.drayage.baseline.msgpack;

import java.nio.ByteBuffer;
import org.msgpack.core.buffer.MessageBuffer;
import org.msgpack.core.buffer.MessageBufferOutput;

/** Packers write into a buffer, through one of 8 kB that they share. Not thread-safe. */
final class MsgpackTarget implements MessageBufferOutput {
  private static final int BUFFER_BYTES = 8_192;

  private MessageBuffer buffer = MessageBuffer.allocate(BUFFER_BYTES);
  private ByteBuffer target = ByteBuffer.allocate(0);

  /** From now on everything goes here; {@code BufferOverflowException} if it is full. */
  void writeTo(ByteBuffer newTarget) {
    target = newTarget;
  }

  @Override
  public MessageBuffer next(int minimumBytes) {
    if (buffer.size() < minimumBytes) {
      buffer = MessageBuffer.allocate(minimumBytes);
    }
    return buffer;
  }

  @Override
  public void writeBuffer(int length) {
    target.put(buffer.array(), buffer.arrayOffset(), length);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    target.put(bytes, offset, length);
  }

  @Override
  public void add(byte[] bytes, int offset, int length) {
    write(bytes, offset, length);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
