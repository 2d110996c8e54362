package io.drayage.baseline.grpc;

import com.google.protobuf.UnsafeByteOperations;
import io.drayage.baseline.grpc.proto.FrameMessage;
import io.drayage.memory.Lease;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** As published: the library's defaults, protobuf's marshaller, and a copy of every frame. */
final class Published implements Flavour {
  private static final Marshaller<FrameMessage> PROTOBUF =
      ProtoUtils.marshaller(FrameMessage.getDefaultInstance());

  private final HaulMethods methods;

  Published() {
    Marshaller<Lease> frames = new ProtobufFrames();
    this.methods = HaulMethods.of(frames, frames);
  }

  @Override
  public HaulMethods methods() {
    return methods;
  }

  /** A copy: gRPC keeps messages for a retry, longer than the sender keeps its frame. */
  @Override
  public Lease message(ByteBuffer frame) {
    return Lease.ofHeap(ByteBuffer.allocate(frame.remaining()).put(frame.duplicate()).flip());
  }

  @Override
  public CallOptions shipOptions() {
    return CallOptions.DEFAULT;
  }

  /** One, whatever is wanted. */
  @Override
  public int channels(int wanted) {
    return 1;
  }

  @Override
  public void configure(NettyChannelBuilder channel, InetSocketAddress address) {}

  @Override
  public void configure(NettyServerBuilder server) {}

  /** Messages of protobuf, which wrap the copy, and are read without another where possible. */
  private static final class ProtobufFrames implements Marshaller<Lease> {
    @Override
    public InputStream stream(Lease frame) {
      return PROTOBUF.stream(
          FrameMessage.newBuilder()
              .setFrame(UnsafeByteOperations.unsafeWrap(frame.buffer()))
              .build());
    }

    @Override
    public Lease parse(InputStream message) {
      return Lease.ofHeap(FrameMessages.frame(PROTOBUF.parse(message)));
    }
  }
}
