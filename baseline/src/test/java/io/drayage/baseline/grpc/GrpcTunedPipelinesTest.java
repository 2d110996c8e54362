package io.drayage.baseline.grpc;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.Transport;

class GrpcTunedPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return GrpcTransport.tuned();
  }
}
