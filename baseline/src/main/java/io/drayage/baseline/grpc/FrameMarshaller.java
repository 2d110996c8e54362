package io.drayage.baseline.grpc;

import static io.drayage.internal.Texts.format;

import io.drayage.memory.Lease;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes and reads a {@code BytesValue} without protobuf: the tag of its one field, its length, the
 * frame. Thread-safe.
 *
 * <p>A message of 1 MiB arrives as some 64 buffers of 16 KiB, the size of gRPC's DATA frames. A
 * decoder needs one piece, so they are gathered in one copy, directly from the socket's buffers.
 *
 * @param pooled whether large frames are read into pooled direct buffers, whose leases must be
 *     closed; if not, the garbage collector frees all frames
 */
record FrameMarshaller(boolean pooled) implements Marshaller<Lease> {
  /** Field 1, length-delimited. */
  static final int TAG = (1 << 3) | 2;

  /** Bytes of the longest length that an int can have as a varint. */
  private static final int MAX_VARINT_BYTES = 5;

  /** Smaller frames are not worth a pooled buffer, which must be released. */
  private static final int MIN_POOLED_BYTES = 16 << 10;

  @Override
  public InputStream stream(Lease frame) {
    return new FrameMessageStream(frame.buffer());
  }

  @Override
  public Lease parse(InputStream message) {
    try {
      return read(message);
    } catch (IOException e) {
      throw malformed("cannot be read: " + e.getMessage());
    }
  }

  private Lease read(InputStream message) throws IOException {
    if (!(message instanceof KnownLength)) {
      throw malformed("is compressed, but our workers do not compress messages");
    }
    int tag = message.read();
    if (tag < 0) {
      return Lease.ofHeap(ByteBuffer.allocate(0)); // As in protobuf: a field without bytes.
    }
    if (tag != TAG) {
      throw malformed(format("begins with tag 0x%02x, expected 0x%02x", tag, TAG));
    }
    long statedBytes = varint(message);
    int bytes = message.available();
    if (statedBytes != bytes) {
      throw malformed(format("states %,d bytes and has %,d", statedBytes, bytes));
    }
    return gather(message, bytes);
  }

  private static long varint(InputStream message) throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = message.read();
      if (next < 0) {
        throw malformed("ends within its length");
      }
      value |= (long) (next & 0x7F) << (7 * i);
      if (next < 0x80) {
        return value;
      }
    }
    throw malformed(format("states a length of more than %d bytes", MAX_VARINT_BYTES));
  }

  /** All {@code bytes} are available: gRPC has received them, within its limit, before it calls. */
  private Lease gather(InputStream message, int bytes) throws IOException {
    if (!pooled || bytes < MIN_POOLED_BYTES) {
      ByteBuffer frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      fill(frame, message);
      return Lease.ofHeap(frame.flip());
    }
    ByteBuf memory = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    boolean filled = false;
    try {
      ByteBuffer frame = memory.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
      fill(frame, message);
      filled = true;
      return new Lease(frame.flip(), memory::release);
    } finally {
      if (!filled) {
        memory.release();
      }
    }
  }

  private static void fill(ByteBuffer frame, InputStream message) throws IOException {
    if (message instanceof HasByteBuffer pieces && pieces.byteBufferSupported()) {
      while (frame.hasRemaining()) {
        ByteBuffer piece = pieces.getByteBuffer();
        if (piece == null || !piece.hasRemaining()) {
          throw malformed(format("ends %,d bytes early", frame.remaining()));
        }
        int count = piece.remaining();
        frame.put(piece);
        message.skipNBytes(count);
      }
      return;
    }
    byte[] all = message.readNBytes(frame.remaining());
    if (all.length < frame.remaining()) {
      throw malformed(format("ends %,d bytes early", frame.remaining() - all.length));
    }
    frame.put(all);
  }

  private static RuntimeException malformed(String how) {
    return Status.INTERNAL.withDescription("a message " + how).asRuntimeException();
  }
}
