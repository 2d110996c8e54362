package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;

/** The fake keeps the contract as well. */
@Tag("nightly")
class LoopbackTransportTest extends TransportBattery {
  private final LoopbackTransport transport = new LoopbackTransport();

  @Override
  protected Transport transport() {
    return transport;
  }

  @Override
  protected Wire wireTo(TransportServer server) {
    return new Wire() {
      @Override
      public InetSocketAddress address() {
        return server.address();
      }

      @Override
      public void cut() {
        try {
          transport.cut(server.address());
        } catch (ShipmentException e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public void freeze() {} // A loopback sends nothing by itself.

      @Override
      public void close() {}
    };
  }
}
