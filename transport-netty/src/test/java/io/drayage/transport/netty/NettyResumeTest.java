package io.drayage.transport.netty;

import io.drayage.transport.ResumeBattery;
import io.drayage.transport.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The battery of transports that resume, with every buffer of Netty's released. */
class NettyResumeTest {
  @Nested
  class OverBest extends ResumeBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.best();
    }
  }

  @Nested
  @Tag("nightly")
  class OverNio extends ResumeBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.of(NativeIo.NIO);
    }
  }

  @AfterEach
  void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }
}
