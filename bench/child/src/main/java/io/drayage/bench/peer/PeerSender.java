package io.drayage.bench.peer;

import io.drayage.cargo.ChangeCargo;
import java.io.IOException;

/** The worker's end of a {@link Peer}. Not thread-safe. */
public interface PeerSender extends AutoCloseable {
  /**
   * Ships a cargo, and waits until the other end has reported that it received all of it, decoded.
   *
   * @throws IOException if that failed
   */
  PeerReport send(ChangeCargo cargo) throws IOException, InterruptedException;

  @Override
  void close();
}
