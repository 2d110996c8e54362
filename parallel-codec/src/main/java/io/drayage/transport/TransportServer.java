package io.drayage.transport;

import java.net.InetSocketAddress;

/** A listening transport. Thread-safe. */
public interface TransportServer extends AutoCloseable {
  /** The address that it listens at, with the port that it got. */
  InetSocketAddress address();

  /** Stops listening, fails what is under way with {@code CANCELLED}, frees threads and buffers. */
  @Override
  void close();
}
