package io.drayage.baseline.grpc;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;
import io.drayage.memory.Lease;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** gRPC as published: the library's defaults, protobuf's marshaller, and a copy of every frame. */
final class Published implements Flavour {
  private static final Marshaller<BytesValue> PROTOBUF =
      ProtoUtils.marshaller(BytesValue.getDefaultInstance());

  private final HaulMethods<Lease> methods;

  Published() {
    Marshaller<Lease> frames = new ProtobufFrames();
    this.methods = HaulMethods.of(frames, frames);
  }

  @Override
  public HaulMethods<Lease> methods() {
    return methods;
  }

  /** Copies the frame: gRPC keeps messages for a retry, longer than the sender keeps its frame. */
  @Override
  public Lease message(ByteBuffer frame) {
    return Lease.ofHeap(ByteBuffer.allocate(frame.remaining()).put(frame.duplicate()).flip());
  }

  @Override
  public CallOptions shipOptions() {
    return CallOptions.DEFAULT;
  }

  /** Returns 1, whatever is wanted. */
  @Override
  public int channels(int wanted) {
    return 1;
  }

  @Override
  public void configure(NettyChannelBuilder channel, InetSocketAddress address) {}

  @Override
  public void configure(NettyServerBuilder server) {}

  /** Messages of protobuf. They wrap the copy, and are read without another copy where possible. */
  private static final class ProtobufFrames implements Marshaller<Lease> {
    @Override
    public InputStream stream(Lease frame) {
      return PROTOBUF.stream(
          BytesValue.newBuilder()
              .setValue(UnsafeByteOperations.unsafeWrap(frame.buffer()))
              .build());
    }

    @Override
    public Lease parse(InputStream message) {
      return Lease.ofHeap(frame(PROTOBUF.parse(message)));
    }
  }

  /** Returns the frame in a message, unchecked: a little-endian view of the message's memory. */
  static ByteBuffer frame(BytesValue message) {
    ByteString bytes = message.getValue();
    View view = new View(bytes.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, view);
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return view.frame.flip();
  }

  /**
   * Reads the bytes of a message without a copy if they are in one array. This is safe because
   * nobody but its receiver has the message. It is fair because the published system has no
   * checksum, and a checksum reads an array fastest.
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
