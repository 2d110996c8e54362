package io.drayage.baseline.grpc;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.drayage.baseline.grpc.proto.FrameMessage;
import io.drayage.frame.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Frames out of protobuf's messages. */
final class FrameMessages {
  /** The most bytes of a message: the largest frame, and tag and length of the field. */
  static final int MAX_MESSAGE_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES + 16;

  private FrameMessages() {}

  /** The frame in a message, whatever it is: a little-endian view of the message's memory. */
  static ByteBuffer frame(FrameMessage message) {
    ByteString bytes = message.getFrame();
    View view = new View(bytes.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, view);
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return view.frame.flip();
  }

  /**
   * Reads the bytes of a message without a copy where they lie in one array. That is safe because
   * the message was made for its receiver, who alone has it; and fair, because the checksum, which
   * the published system does not have, reads an array fastest.
   */
  private static final class View extends ByteOutput {
    private final int bytes;
    private ByteBuffer frame = ByteBuffer.allocate(0);

    private View(int bytes) {
      this.bytes = bytes;
    }

    private ByteBuffer target() {
      if (frame.capacity() < bytes) {
        frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      }
      return frame;
    }

    @Override
    public void write(byte value) {
      target().put(value);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      target().put(source, offset, length);
    }

    @Override
    public void write(ByteBuffer source) {
      target().put(source);
    }

    @Override
    public void writeLazy(byte[] source, int offset, int length) {
      if (length == bytes) {
        frame = ByteBuffer.wrap(source, offset, length).slice().order(ByteOrder.LITTLE_ENDIAN);
        frame.position(length);
      } else {
        write(source, offset, length);
      }
    }

    @Override
    public void writeLazy(ByteBuffer source) {
      write(source);
    }
  }
}
