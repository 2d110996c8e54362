package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.frame.Fault;
import io.drayage.transport.Shipment;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The batteries for every transport and for gRPC, with gRPC as published and tuned. */
class GrpcBatteriesTest {
  @Nested
  class PublishedPipelines extends PipelinesBattery {
    @Override
    protected Transport transport() {
      return new GrpcTransport();
    }
  }

  @Nested
  @Tag("nightly")
  class TunedPipelines extends PipelinesBattery {
    @Override
    protected Transport transport() {
      return GrpcTransport.tuned();
    }
  }

  @Tag("ci")
  @Nested
  class PublishedHostileCalls extends HostileCallsBattery {
    @Override
    Transport transport() {
      return new GrpcTransport();
    }
  }

  @Nested
  @Tag("nightly")
  class TunedHostileCalls extends HostileCallsBattery {
    @Override
    Transport transport() {
      return GrpcTransport.tuned();
    }
  }

  @Nested
  @Tag("nightly")
  class PublishedTransport extends TransportBattery {
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
      TransportOptions options = OPTIONS.toBuilder().idleTimeout(Duration.ofSeconds(3)).build();
      TransportServer server = listen(UnaryOperator.identity(), options);
      TransportClient client = closedAfterwards(transport().client(server.address(), options));
      Shipment shipment = closedAfterwards(client.open(header()));

      Thread.sleep(5_000); // A slow serializer: longer than the idle timeout.

      sendAll(shipment, 1, 100, new Random(1));
      assertThat(shipment.committed().get()).isEqualTo(1);
    }
  }

  @Nested
  @Tag("nightly")
  class TunedTransport extends TransportBattery {
    @Override
    protected Transport transport() {
      return GrpcTransport.tuned();
    }

    /** Bytes that gRPC queues, the HTTP/2 window, and the sockets' buffers. */
    @Override
    protected long maxBufferedBytes() {
      return Tuned.ON_READY_THRESHOLD_BYTES + Tuned.FLOW_CONTROL_WINDOW_BYTES + (24L << 20);
    }
  }
}
