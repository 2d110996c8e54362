package io.drayage.bench.peers.socket;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.PeerProcess;
import io.drayage.bench.peer.PeerReceiver;
import io.drayage.bench.peer.PeerSender;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Main class of the peer's processes. */
public final class SocketPeer implements Peer {
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PeerProcess.run(new SocketPeer(), arguments);
  }

  @Override
  public PeerReceiver listen(
      PeerCodec codec, InetSocketAddress address, ReceivedCargoes received, DrayageMetrics metrics)
      throws IOException {
    return new SocketReceiver(SocketCodec.of(codec), address, received, metrics);
  }

  @Override
  public PeerSender connect(PeerCodec codec, InetSocketAddress transactor, DrayageMetrics metrics)
      throws IOException {
    return new SocketSender(SocketCodec.of(codec), transactor, metrics);
  }
}
