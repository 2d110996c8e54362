package io.drayage.baseline.grpc;

import io.drayage.transport.Transport;

class GrpcTunedHostileCallsTest extends HostileCallsBattery {
  @Override
  Transport transport() {
    return GrpcTransport.tuned();
  }
}
