package io.drayage.transport;

class LoopbackPipelinesTest extends PipelinesBattery {
  private final LoopbackTransport transport = new LoopbackTransport();

  @Override
  protected Transport transport() {
    return transport;
  }
}
