package io.drayage.bench.peer;

import java.net.InetSocketAddress;

/** The transactor's end of a {@link Peer}. */
public interface PeerReceiver extends AutoCloseable {
  /** The address at which it listens. */
  InetSocketAddress address();

  @Override
  void close();
}
