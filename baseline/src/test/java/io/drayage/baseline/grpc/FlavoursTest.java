package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both flavours speak the same bytes. */
@Timeout(60)
class FlavoursTest {
  private static final int FRAMES = 20;

  @Test
  void publishedWorkerShipsToATunedTransactor() throws Exception {
    assertShips(new GrpcTransport(), GrpcTransport.tuned());
  }

  @Test
  void tunedWorkerShipsToAPublishedTransactor() throws Exception {
    assertShips(GrpcTransport.tuned(), new GrpcTransport());
  }

  private static void assertShips(Transport worker, Transport transactor) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ShipmentHeader header =
        new ShipmentHeader(new UUID(1, 2), 3, ShipmentHeader.Pipeline.STREAM, 1, 1, "test");
    try (TransportServer server =
            transactor.listen(
                anyPort,
                (opened, replies) ->
                    new ShipmentHandler() {
                      private final Seal.Digest digest = new Seal.Digest();
                      private int frames;

                      @Override
                      public void onFrame(Lease frame) {
                        try (frame) {
                          ByteBuffer payload = FrameHeader.verify(frame.buffer());
                          if (FrameHeader.type(frame.buffer()) == FrameType.SEAL) {
                            Seal.ofPayload(payload).requireSameAs(digest.seal());
                            replies.held(digest.seal());
                            replies.committed(frames);
                          } else {
                            digest.add(frames++, FrameHeader.checksum(frame.buffer()));
                          }
                        } catch (ShipmentException e) {
                          replies.failed(e);
                        }
                      }

                      @Override
                      public void onAborted(ShipmentException cause) {}
                    },
                TransportOptions.DEFAULT);
        TransportClient client = worker.client(server.address(), TransportOptions.DEFAULT);
        Shipment shipment = client.open(header)) {
      Random random = new Random(5);
      Seal.Digest digest = new Seal.Digest();
      for (int i = 0; i < FRAMES; i++) {
        ByteBuffer frame = ByteBuffer.allocateDirect(FrameHeader.BYTES + random.nextInt(2 << 20));
        FrameHeader.write(frame, FrameType.CHUNK, shipment.id());
        digest.add(i, FrameHeader.checksum(frame));
        shipment.send(Lease.ofHeap(frame), new DrayageMetrics().outbound());
      }
      shipment.send(
          Lease.ofHeap(digest.seal().toFrame(FrameType.SEAL, shipment.id())),
          new DrayageMetrics().outbound());

      assertThat(shipment.committed().get()).isEqualTo(FRAMES);
    }
  }
}
