package io.drayage.bench.peer;

import io.drayage.cargo.ChangeCargo;
import java.io.IOException;

/** The worker's end of a {@link Peer}. Not thread-safe. */
public interface PeerSender extends AutoCloseable {
  /**
   * Ships a cargo, and waits for the report that the other end has received and decoded all of it.
   *
   * @throws IOException if that failed
   */
  PeerReport send(ChangeCargo cargo) throws IOException, InterruptedException;

  @Override
  void close();
}
