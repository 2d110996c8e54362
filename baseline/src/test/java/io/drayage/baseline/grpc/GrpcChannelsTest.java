package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.ConfiguredTransport;
import io.drayage.transport.RecordingHandler;
import io.drayage.transport.Shipment;
import io.drayage.transport.TcpWire;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.BitSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code grpc-tuned} over several channels. */
@Timeout(300)
class GrpcChannelsTest {
  private static final int CHANNELS = 3;
  private static final int SEGMENTS = 200;
  private static final int BYTES = 100_000;

  @Nested
  @Tag("ci")
  class Shipments extends TransportFixture {
    @Override
    protected Transport transport() {
      return GrpcTransport.tuned();
    }

    private TransportClient client(InetSocketAddress address) {
      TransportOptions options = OPTIONS.toBuilder().connections(CHANNELS).build();
      return closedAfterwards(transport().client(address, options));
    }

    private void ship(Shipment shipment) throws Exception {
      sendSegments(shipment, 0, SEGMENTS, BYTES, new BitSet());
      Seal seal = sendSeal(shipment, SEGMENTS, BYTES);
      assertThat(shipment.held().get()).isEqualTo(seal);
      assertThat(shipment.committed().get()).isEqualTo(SEGMENTS);
    }

    @Test
    void shipOverAllChannels() throws Exception {
      TransportServer server = listen(RecordingHandler::resumable);
      TcpWire wire = closedAfterwards(new TcpWire(server.address()));
      TransportClient client = client(wire.address());
      for (int round = 0; round < 5; round++) {
        try (Shipment shipment = client.open(header())) {
          ship(shipment);
        }
        assertThat(handlers.take().whenAborted()).isNotDone();
      }
      assertThat(wire.connections()).isEqualTo(CHANNELS);
    }

    /** Docker names its containers like this; in a URI the name would be no host. */
    @Test
    void reachAHostWithAnUnderscoreInItsName() throws Exception {
      TransportServer server = listen(RecordingHandler::resumable);
      InetAddress named =
          InetAddress.getByAddress("t_1", server.address().getAddress().getAddress());
      TransportClient client = client(new InetSocketAddress(named, server.address().getPort()));
      try (Shipment shipment = client.open(header())) {
        ship(shipment);
      }
    }

    @Test
    void endBeforeTheOtherChannelsAreUsed() throws Exception {
      TransportServer server = listen(RecordingHandler::resumable);
      TransportClient client = client(server.address());
      for (int round = 0; round < 60; round++) {
        try (Shipment shipment = client.open(header())) {
          sendSegments(shipment, 0, 1, 10, new BitSet());
          sendSeal(shipment, 1, 10);
          assertThat(shipment.committed().get()).as("round %d", round).isEqualTo(1);
        }
      }
    }

    @Test
    void takeOneChannelWhereTheServerAllowsNoMore() throws Exception {
      TransportServer server = listen(handler -> handler);
      TcpWire wire = closedAfterwards(new TcpWire(server.address()));
      try (Shipment shipment = client(wire.address()).open(header())) {
        sendAll(shipment, 20, BYTES, new java.util.Random(1));
        assertThat(shipment.committed().get()).isEqualTo(20);
      }
      assertThat(wire.connections()).isEqualTo(1);
    }

    @Test
    void failOnAllChannelsTogether() throws Exception {
      ShipmentException cause = new ShipmentException(Fault.DECODE, "cannot read that");
      TransportServer server = listen(handler -> handler.resumable().failingWith(cause));
      TransportClient client = client(server.address());
      for (int round = 0; round < 15; round++) {
        try (Shipment shipment = client.open(header())) {
          assertThatThrownBy(
                  () -> {
                    while (true) {
                      sendSegments(shipment, 0, SEGMENTS, BYTES, new BitSet());
                    }
                  })
              .hasMessageContaining("cannot read that");
          assertFault(failureOf(shipment.committed()), Fault.DECODE, "cannot read that");
        }
      }
    }

    @Test
    void areCancelledOnAllChannelsTogether() throws Exception {
      TransportServer server = listen(RecordingHandler::resumable);
      Shipment shipment = closedAfterwards(client(server.address()).open(header()));
      sendSegments(shipment, 0, 20, BYTES, new BitSet());

      shipment.cancel(new ShipmentException(Fault.CANCELLED, "changed my mind"));

      assertFault(handlers.take().whenAborted().get(), Fault.CANCELLED, "changed my mind");
    }
  }

  @Nested
  @Tag("nightly")
  class Pipelines extends PipelinesBattery {
    @Override
    protected Transport transport() {
      return new ConfiguredTransport(
          GrpcTransport.tuned(),
          options -> options.toBuilder().connections(CHANNELS).build(),
          options -> options);
    }
  }
}
