package io.drayage.baseline.grpc;

import io.drayage.memory.Lease;
import io.grpc.CallOptions;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * What differs between gRPC as published and tuned: how a frame becomes a message, and the
 * library's settings. The calls, and the bytes of every message, are the same. Thread-safe.
 */
interface Flavour {
  /** The methods, with the marshallers of this flavour. */
  HaulMethods<Lease> methods();

  /**
   * What is handed to gRPC for a frame, whose position stays as it is.
   *
   * @return a lease that nobody closes; its bytes must stay until the call has sent it
   */
  Lease message(ByteBuffer frame);

  /** The options of the call that ships. */
  CallOptions shipOptions();

  /** How many channels a worker has that would like to use {@code wanted} connections. */
  int channels(int wanted);

  /** Sets up a worker's channel to {@code address}. */
  void configure(NettyChannelBuilder channel, InetSocketAddress address);

  /** Sets up a transactor's server. */
  void configure(NettyServerBuilder server);
}
