package io.drayage.transport.netty;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.TransportOptions;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The messages of a worker, and their receivers, when an attempt of the worker fails. */
@Timeout(180)
class NettyShipmentTest {
  private static final ResumeTicket TICKET =
      new ResumeTicket(7, new Token(1, 2), Duration.ofSeconds(30), OpenRequest.DEFAULT);

  private final List<ResumeTicket> abandoned = new CopyOnWriteArrayList<>();

  @Test
  void attemptToResumeAtAClosedPortAbandonsNothing() throws Exception {
    try (NettyClient client =
        (NettyClient) NettyTransport.best().client(closedPort(), TransportOptions.DEFAULT)) {
      NettyShipment shipment =
          new NettyShipment(
              recording(client),
              RawPeer.header(new UUID(1, 2)),
              TransportOptions.DEFAULT,
              new DrayageMetrics(),
              over -> {});

      assertFault(Fault.PEER_GONE, () -> shipment.resume(TICKET)).hasMessageContaining("connect");
      shipment.close(); // Nothing is left to abandon.
    }

    // The client is closed, so everything on its event loops has happened.
    assertThat(abandoned).isEmpty();
  }

  private NettyShipment.Connector recording(NettyClient client) {
    return new NettyShipment.Connector() {
      @Override
      public ChannelFuture connect(Consumer<SocketChannel> setUp) {
        return client.connect(setUp);
      }

      @Override
      public KeptConnections idle() {
        return client.idle();
      }

      @Override
      public void abandon(ResumeTicket ticket, ShipmentException cause) {
        abandoned.add(ticket);
      }
    };
  }

  private static InetSocketAddress closedPort() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) closed.getLocalSocketAddress();
    }
  }
}
