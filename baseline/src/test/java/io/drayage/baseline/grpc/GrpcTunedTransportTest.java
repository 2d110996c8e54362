package io.drayage.baseline.grpc;

import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class GrpcTunedTransportTest extends TransportBattery {
  @Override
  protected Transport transport() {
    return GrpcTransport.tuned();
  }

  /** What gRPC queues, the HTTP/2 window, and the sockets' buffers. */
  @Override
  protected long maxBufferedBytes() {
    return Tuned.ON_READY_THRESHOLD_BYTES + Tuned.FLOW_CONTROL_WINDOW_BYTES + (24L << 20);
  }
}
