package io.drayage.transport.netty;

import io.drayage.frame.Accepted;
import io.drayage.frame.FrameType;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.util.UUID;

/** Servers of Netty with workers of raw frames; checks that every buffer is released. */
abstract class NettyFixture extends TransportFixture {
  static final UUID TRANSACTION = new UUID(7, 11);

  @Override
  protected Transport transport() {
    return NettyTransport.best();
  }

  @Override
  protected void assertBuffersReleased() {
    DirectMemory.assertAllReleased();
  }

  RawPeer peer(TransportServer server) throws IOException {
    return closedAfterwards(new RawPeer(server.address()));
  }

  /** Sends the segments 0..count and the seal. */
  static void sendAll(RawPeer peer, Accepted shipment, int count, int bytes) throws IOException {
    long id = shipment.shipmentId();
    for (int number = 0; number < count; number++) {
      peer.send(segment(number, id, bytes));
    }
    peer.send(sealOf(count, id, bytes).toFrame(FrameType.SEAL, id));
  }
}
