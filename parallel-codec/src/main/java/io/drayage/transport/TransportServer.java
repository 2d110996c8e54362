package io.drayage.transport;

import java.net.InetSocketAddress;

/** A listening transport. Thread-safe. */
public interface TransportServer extends AutoCloseable {
  /** The address that it listens at, with the port that it got. */
  InetSocketAddress address();

  /**
   * Stops listening, lets what is under way end within {@link TransportOptions#drainTimeout} if the
   * transport can, fails the rest with {@code CANCELLED}, frees threads and buffers.
   */
  @Override
  void close();
}
