package io.drayage.transport;

import java.net.InetSocketAddress;

/** A listening transport. Thread-safe. */
public interface TransportServer extends AutoCloseable {
  /** The address at which the server listens, with the actual port. */
  InetSocketAddress address();

  /**
   * Stops listening, lets open shipments end within {@link TransportOptions#drainTimeout} if the
   * transport can, fails the rest with {@code CANCELLED}, and frees threads and buffers. A commit
   * that has begun continues, and its outcome is unknown to its worker.
   */
  @Override
  void close();
}
