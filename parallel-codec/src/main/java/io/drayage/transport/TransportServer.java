package io.drayage.transport;

import java.net.InetSocketAddress;

/** A listening transport. Thread-safe. */
public interface TransportServer extends AutoCloseable {
  /** The address that it listens at, with the port that it got. */
  InetSocketAddress address();

  /**
   * Stops listening, lets what is under way end within {@link TransportOptions#drainTimeout} if the
   * transport can, fails the rest with {@code CANCELLED}, frees threads and buffers. What is being
   * committed then goes on, and its outcome is unknown to its worker.
   */
  @Override
  void close();
}
