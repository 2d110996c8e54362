package io.drayage.baseline.grpc;

import io.drayage.transport.Transport;

class GrpcHostileCallsTest extends HostileCallsBattery {
  @Override
  Transport transport() {
    return new GrpcTransport();
  }
}
