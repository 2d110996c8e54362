package io.drayage.baseline.grpc;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.Transport;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class GrpcTunedPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return GrpcTransport.tuned();
  }
}
