package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.frame.Seal;
import io.drayage.transport.ResumeBattery;
import io.drayage.transport.Shipment;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportServer;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The batteries of all transports over each I/O that this machine supports. After each test, every
 * buffer of Netty is released.
 */
class NettyTransportTest {
  @Nested
  class OverBest extends TransportBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.best();
    }
  }

  @Nested
  @Tag("nightly")
  @ParameterizedClass
  @EnumSource(names = {"IO_URING", "NIO"})
  class OverTheOthers extends TransportBattery {
    private final NativeIo io;

    OverTheOthers(NativeIo io) {
      assumeThat(io.unavailabilityCause()).isNull();
      this.io = io;
    }

    @Override
    protected Transport transport() {
      return NettyTransport.of(io);
    }
  }

  @Nested
  class ResumingOverBest extends ResumeBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.best();
    }
  }

  @Nested
  @Tag("nightly")
  class ResumingOverNio extends ResumeBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.of(NativeIo.NIO);
    }
  }

  @Nested
  class Pipelines extends PipelinesBattery {
    @Override
    protected Transport transport() {
      return NettyTransport.best();
    }
  }

  /** One shipment over each, besides the battery over the best. */
  @Nested
  class OverEach extends TransportFixture {
    private NativeIo io = NativeIo.NIO;

    @Override
    protected Transport transport() {
      return NettyTransport.of(io);
    }

    @ParameterizedTest
    @EnumSource
    void ships(NativeIo each) throws Exception {
      assumeThat(each.unavailabilityCause()).isNull();
      io = each;
      TransportServer server = listen(UnaryOperator.identity());
      Shipment shipment = closedAfterwards(clientOf(server).open(header()));

      Seal seal = sendAll(shipment, 50, 10_000, new Random(1));

      assertThat(shipment.held().get()).isEqualTo(seal);
      assertThat(shipment.committed().get()).isEqualTo(seal.frameCount());
    }
  }

  @AfterEach
  void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }

  static boolean hasEpoll() {
    return NativeIo.EPOLL.unavailabilityCause() == null;
  }
}
