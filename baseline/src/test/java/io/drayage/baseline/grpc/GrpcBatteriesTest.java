package io.drayage.baseline.grpc;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

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
