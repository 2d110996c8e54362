package io.drayage.baseline.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A message as gRPC sends it. The message knows its length, so that gRPC allocates once, and copies
 * itself into gRPC's buffers. gRPC accepts arrays only, so a frame in direct memory is copied
 * through an array that is small enough to stay in a core's cache. Not thread-safe.
 */
final class FrameMessageStream extends InputStream implements Drainable, KnownLength {
  private static final int STEP_BYTES = 32 << 10;

  /** Tag and length, at most 6 bytes. */
  private final ByteBuffer prefix = ByteBuffer.allocate(6);

  private final ByteBuffer frame;

  /**
   * @param frame read from position to limit, both of which stay unchanged
   */
  FrameMessageStream(ByteBuffer frame) {
    this.frame = frame.duplicate();
    prefix.put((byte) FrameMarshaller.TAG);
    int length = frame.remaining();
    while (length >= 0x80) {
      prefix.put((byte) ((length & 0x7F) | 0x80));
      length >>>= 7;
    }
    prefix.put((byte) length).flip();
  }

  @Override
  public int available() {
    return prefix.remaining() + frame.remaining();
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int total = available();
    target.write(prefix.array(), prefix.position(), prefix.remaining());
    prefix.position(prefix.limit());
    if (frame.hasArray()) {
      target.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
      frame.position(frame.limit());
      return total;
    }
    byte[] step = new byte[Math.min(STEP_BYTES, frame.remaining())];
    while (frame.hasRemaining()) {
      int count = Math.min(step.length, frame.remaining());
      frame.get(step, 0, count);
      target.write(step, 0, count);
    }
    return total;
  }

  @Override
  public int read() {
    ByteBuffer next = prefix.hasRemaining() ? prefix : frame;
    return next.hasRemaining() ? next.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    ByteBuffer next = prefix.hasRemaining() ? prefix : frame;
    if (length == 0 || !next.hasRemaining()) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, next.remaining());
    next.get(target, offset, count);
    return count;
  }
}
