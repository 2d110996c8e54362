package io.drayage.bench.peers.arrow;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerBattery;
import io.drayage.bench.peer.PeerCodec;
import java.util.List;

class ArrowFlightPeerTest extends PeerBattery {
  @Override
  protected Peer peer() {
    return new ArrowFlightPeer(ArrowSettings.ofSystem());
  }

  @Override
  protected List<PeerCodec> codecs() {
    return List.of(
        new PeerCodec("arrow", "none", null),
        new PeerCodec("arrow", "zstd", null),
        new PeerCodec("arrow", "zstd", 1));
  }
}
