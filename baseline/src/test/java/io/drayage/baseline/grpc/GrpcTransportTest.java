package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class GrpcTransportTest extends TransportBattery {
  @Override
  protected Transport transport() {
    return new GrpcTransport();
  }

  @Test
  void workerThatOnlySaysThatItLivesIsGivenUp() throws Exception {
    TransportServer server =
        listen(
            UnaryOperator.identity(),
            OPTIONS.toBuilder().stallTimeout(Duration.ofSeconds(2)).build());
    TransportOptions lively = OPTIONS.toBuilder().idleTimeout(Duration.ofSeconds(3)).build();
    TransportClient client = closedAfterwards(transport().client(server.address(), lively));
    Shipment shipment = closedAfterwards(client.open(header()));

    assertFault(
        failureOf(shipment.held()), Fault.CANCELLED, "made no progress for 2,000 ms although");
    assertThat(handlers.take().whenAborted().get().fault()).isEqualTo(Fault.CANCELLED);
  }

  @Test
  void workerThatHasNothingToSendYetIsNotSilent() throws Exception {
    TransportOptions options =
        TransportOptions.builder().idleTimeout(Duration.ofSeconds(3)).build();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ShipmentHeader header =
        ShipmentHeaders.of(new UUID(1, 2), 3, ShipmentHeader.Pipeline.STREAM, 1, 1, "slow");
    try (TransportServer server =
            transport()
                .listen(
                    anyPort,
                    (opened, replies) ->
                        new ShipmentHandler() {
                          @Override
                          public void onFrame(Lease frame) {
                            frame.close();
                            replies.held(new Seal(0, 0));
                            replies.committed(5);
                          }

                          @Override
                          public boolean onAborted(ShipmentException cause) {
                            return true;
                          }
                        },
                    options);
        TransportClient client = transport().client(server.address(), options);
        Shipment shipment = client.open(header)) {
      Thread.sleep(5_000); // A slow serializer: longer than the idle timeout.

      send(shipment, Lease.ofHeap(new Seal(0, 0).toFrame(FrameType.SEAL, shipment.id())));

      assertThat(shipment.committed().get()).isEqualTo(5);
    }
  }
}
