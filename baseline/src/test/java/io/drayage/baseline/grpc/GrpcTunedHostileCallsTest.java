package io.drayage.baseline.grpc;

import io.drayage.transport.Transport;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class GrpcTunedHostileCallsTest extends HostileCallsBattery {
  @Override
  Transport transport() {
    return GrpcTransport.tuned();
  }
}
