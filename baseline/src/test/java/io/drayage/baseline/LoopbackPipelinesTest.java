package io.drayage.baseline;

import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.Transport;

class LoopbackPipelinesTest extends PipelinesBattery {
  private final LoopbackTransport transport = new LoopbackTransport();

  @Override
  protected Transport transport() {
    return transport;
  }
}
