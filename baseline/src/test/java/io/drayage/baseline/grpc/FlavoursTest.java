package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transport.Shipment;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportServer;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both flavours write the same bytes. */
@Timeout(180)
class FlavoursTest {
  private static final int FRAMES = 20;

  @Tag("ci")
  @Nested
  class PublishedWorker extends Ships {
    PublishedWorker() {
      super(new GrpcTransport(), GrpcTransport.tuned());
    }
  }

  @Nested
  class TunedWorker extends Ships {
    TunedWorker() {
      super(GrpcTransport.tuned(), new GrpcTransport());
    }
  }

  private abstract static class Ships extends TransportFixture {
    private final Transport worker;
    private final Transport transactor;

    Ships(Transport worker, Transport transactor) {
      this.worker = worker;
      this.transactor = transactor;
    }

    @Override
    protected Transport transport() {
      return transactor;
    }

    @Test
    void toTheOther() throws Exception {
      TransportServer server = listen(UnaryOperator.identity());
      try (TransportClient client = worker.client(server.address(), OPTIONS);
          Shipment shipment = client.open(header())) {
        sendAll(shipment, FRAMES, 2 << 20, new Random(5));

        assertThat(shipment.committed().get()).isEqualTo(FRAMES);
      }
    }
  }
}
