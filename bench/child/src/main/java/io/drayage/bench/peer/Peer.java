package io.drayage.bench.peer;

import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A system of another project. At both ends, the arrays of the cargo are on the heap. The
 * measurement includes the peer's conversion to and from its own form.
 */
public interface Peer {
  /**
   * Creates the transactor's end.
   *
   * @param address the address to listen at; port 0 is any free port
   * @param received takes the cargoes
   * @param metrics know the threads that receive and decode
   */
  PeerReceiver listen(
      PeerCodec codec, InetSocketAddress address, ReceivedCargoes received, DrayageMetrics metrics)
      throws IOException;

  /**
   * Creates the worker's end, connected.
   *
   * @param metrics know the threads that encode and send
   */
  PeerSender connect(PeerCodec codec, InetSocketAddress transactor, DrayageMetrics metrics)
      throws IOException;
}
