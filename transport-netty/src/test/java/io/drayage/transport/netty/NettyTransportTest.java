package io.drayage.transport.netty;

import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The battery of all transports over each way to talk to the kernel that this machine has, with
 * every buffer of Netty's given back after each test.
 */
class NettyTransportTest {
  abstract static class Battery extends TransportBattery {
    private final NativeIo io;

    Battery(NativeIo io) {
      this.io = io;
    }

    @Override
    protected Transport transport() {
      return NettyTransport.of(io);
    }
  }

  @Nested
  @EnabledIf("io.drayage.transport.netty.NettyTransportTest#hasEpoll")
  class OverEpoll extends Battery {
    OverEpoll() {
      super(NativeIo.EPOLL);
    }
  }

  @Nested
  @EnabledIf("io.drayage.transport.netty.NettyTransportTest#hasIoUring")
  class OverIoUring extends Battery {
    OverIoUring() {
      super(NativeIo.IO_URING);
    }
  }

  @Nested
  class OverNio extends Battery {
    OverNio() {
      super(NativeIo.NIO);
    }
  }

  @AfterEach
  void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }

  static boolean hasEpoll() {
    return NativeIo.EPOLL.unavailabilityCause() == null;
  }

  static boolean hasIoUring() {
    return NativeIo.IO_URING.unavailabilityCause() == null;
  }
}
