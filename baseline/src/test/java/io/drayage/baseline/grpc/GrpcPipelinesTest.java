package io.drayage.baseline.grpc;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.Transport;

class GrpcPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return new GrpcTransport();
  }
}
