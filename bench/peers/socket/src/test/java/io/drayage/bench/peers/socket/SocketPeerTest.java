package io.drayage.bench.peers.socket;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerBattery;
import io.drayage.bench.peer.PeerCodec;
import java.util.List;

final class SocketPeerTest extends PeerBattery {
  @Override
  protected Peer peer() {
    return new SocketPeer();
  }

  @Override
  protected List<PeerCodec> codecs() {
    return List.of(
        new PeerCodec("kryo-tuned", "none", null),
        new PeerCodec("kryo-tuned", "zstd-mt", null),
        new PeerCodec("kryo-tuned", "zstd-mt", 3));
  }
}
