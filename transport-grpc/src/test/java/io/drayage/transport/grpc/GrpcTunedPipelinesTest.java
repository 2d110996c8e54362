package io.drayage.transport.grpc;

import io.drayage.transport.PipelinesBattery;
import io.drayage.transport.Transport;

class GrpcTunedPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return GrpcTransport.tuned();
  }
}
