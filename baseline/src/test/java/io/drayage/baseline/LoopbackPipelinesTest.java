package io.drayage.baseline;

import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoopbackPipelinesTest extends PipelinesBattery {
  private final LoopbackTransport transport = new LoopbackTransport();

  @Override
  protected Transport transport() {
    return transport;
  }

  /** Runs here in every build, and over the network by night. */
  @Override
  @ParameterizedTest
  @EnumSource
  @Tag("ci")
  protected void everyCodecsCargoArrives(Pipeline pipeline) throws Exception {
    super.everyCodecsCargoArrives(pipeline);
  }
}
