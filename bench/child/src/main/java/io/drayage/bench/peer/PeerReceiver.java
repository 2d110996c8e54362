package io.drayage.bench.peer;

import java.net.InetSocketAddress;

/** The transactor's end of a {@link Peer}. */
public interface PeerReceiver extends AutoCloseable {
  /** Where it listens. */
  InetSocketAddress address();

  @Override
  void close();
}
