package io.drayage.transport.netty;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.Transport;
import org.junit.jupiter.api.AfterAll;

class NettyPipelinesTest extends PipelinesBattery {
  @Override
  protected Transport transport() {
    return NettyTransport.best();
  }

  @AfterAll
  static void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }
}
