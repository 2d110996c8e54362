package io.drayage.baseline.grpc;

import io.drayage.memory.Lease;
import io.drayage.transport.TransportOptions;
import io.grpc.CallOptions;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * gRPC at its best for bulk data. See {@code docs/decisions/baseline.md} for the source of each
 * setting.
 */
final class Tuned implements Flavour {
  /**
   * The HTTP/2 window of a call and of a connection, in both directions. It is fixed; the default
   * grows from 1 MiB to 8 MiB. As many bytes may wait at the receiver undelivered.
   */
  static final int FLOW_CONTROL_WINDOW_BYTES = 16 << 20;

  /** Bytes that gRPC may queue before it is not ready; the default is 32 KiB. */
  static final int ON_READY_THRESHOLD_BYTES = 10 << 20;

  /**
   * The name of the congestion control, whose four bytes are given as a number. The first
   * connection would consume the buffer of a raw option, and no other could be made.
   */
  private static final IntegerUnixChannelOption CONGESTION_CONTROL =
      new IntegerUnixChannelOption("TCP_CONGESTION", 6, 13);

  private static final int UNPACED_VALUE =
      ByteBuffer.wrap(
              TransportOptions.UNPACED_CONGESTION_CONTROL.getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.nativeOrder())
          .getInt();

  private final HaulMethods<Lease> methods =
      HaulMethods.of(new FrameMarshaller(false), new FrameMarshaller(true));

  @Override
  public HaulMethods<Lease> methods() {
    return methods;
  }

  /**
   * Returns the frame itself. gRPC copies it once, into its buffers, before the call's {@code
   * onNext} returns. Nothing keeps the message, because there are no retries and the call is ready.
   */
  @Override
  public Lease message(ByteBuffer frame) {
    return Lease.ofHeap(frame);
  }

  @Override
  public CallOptions shipOptions() {
    return CallOptions.DEFAULT.withOnReadyThreshold(ON_READY_THRESHOLD_BYTES);
  }

  @Override
  public int channels(int wanted) {
    return wanted;
  }

  @Override
  public void configure(NettyChannelBuilder channel, InetSocketAddress address) {
    channel.flowControlWindow(FLOW_CONTROL_WINDOW_BYTES).disableRetry().directExecutor();
    if (Epoll.isAvailable() && TransportOptions.congestionControlTo(address) != null) {
      channel.withOption(CONGESTION_CONTROL, UNPACED_VALUE);
    }
  }

  @Override
  public void configure(NettyServerBuilder server) {
    server.flowControlWindow(FLOW_CONTROL_WINDOW_BYTES).directExecutor();
  }
}
