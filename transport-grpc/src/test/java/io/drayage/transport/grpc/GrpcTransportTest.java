package io.drayage.transport.grpc;

import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;

class GrpcTransportTest extends TransportBattery {
  @Override
  protected Transport transport() {
    return new GrpcTransport();
  }
}
