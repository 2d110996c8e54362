package io.drayage.transport;

import java.net.InetSocketAddress;

/** What lies between a client and a server, and can break. */
public interface Wire extends AutoCloseable {
  /** Where a client finds the server. */
  InetSocketAddress address();

  /** Breaks all connections, in both directions, as when a host dies. */
  void cut();

  /** Lets no more bytes through, in either direction, and breaks nothing. */
  void freeze();

  @Override
  void close();
}
