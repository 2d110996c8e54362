package io.drayage.bench.peer;

import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A system of others. The arrays of the cargo are on the heap at both ends: what a peer needs
 * besides, to get them into its own form and out of it, is part of what is measured.
 */
public interface Peer {
  /**
   * The transactor's end.
   *
   * @param address where it listens; a free port if that of the address is 0
   * @param received takes the cargoes
   * @param metrics know the threads that receive and decode
   */
  PeerReceiver listen(
      PeerCodec codec, InetSocketAddress address, ReceivedCargoes received, DrayageMetrics metrics)
      throws IOException;

  /**
   * The worker's end, connected.
   *
   * @param metrics know the threads that encode and send
   */
  PeerSender connect(PeerCodec codec, InetSocketAddress transactor, DrayageMetrics metrics)
      throws IOException;
}
