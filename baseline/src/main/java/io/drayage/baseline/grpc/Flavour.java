package io.drayage.baseline.grpc;

import io.drayage.memory.Lease;
import io.grpc.CallOptions;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The differences between gRPC as published and tuned: the message made of a frame, and the
 * library's settings. The calls, and the bytes of every message, are the same. Thread-safe.
 */
interface Flavour {
  /** The methods, with the marshallers of this flavour. */
  HaulMethods<Lease> methods();

  /**
   * Makes the message that is handed to gRPC for a frame. The frame's position stays unchanged.
   *
   * @return a lease that nobody closes; its bytes must stay until the call has sent it
   */
  Lease message(ByteBuffer frame);

  /** The options of the call that ships. */
  CallOptions shipOptions();

  /** Number of channels of a worker that would like to use {@code wanted} connections. */
  int channels(int wanted);

  /** Sets up a worker's channel to {@code address}. */
  void configure(NettyChannelBuilder channel, InetSocketAddress address);

  /** Sets up a transactor's server. */
  void configure(NettyServerBuilder server);
}
