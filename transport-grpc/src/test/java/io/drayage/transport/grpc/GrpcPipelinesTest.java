package io.drayage.transport.grpc;

import io.drayage.transport.PipelinesBattery;
import io.drayage.transport.Transport;

class GrpcPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return new GrpcTransport();
  }
}
