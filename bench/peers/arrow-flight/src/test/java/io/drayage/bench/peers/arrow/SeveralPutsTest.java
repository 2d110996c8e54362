package io.drayage.bench.peers.arrow;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerCodec;
import java.util.List;

/** Small batches, three puts at a time over two connections, vectors kept. */
final class SeveralPutsTest extends ArrowFlightPeerTest {
  private static final ArrowSettings SETTINGS =
      new ArrowSettings(200_000, 3, 2, 1 << 20, 1 << 20, false, true);

  @Override
  protected Peer peer() {
    return new ArrowFlightPeer(SETTINGS);
  }

  @Override
  protected List<PeerCodec> codecs() {
    return super.codecs().subList(0, 1);
  }
}
