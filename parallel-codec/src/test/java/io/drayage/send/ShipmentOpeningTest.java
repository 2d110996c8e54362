package io.drayage.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A worker that traces, and transactors that do not know what that is. */
class ShipmentOpeningTest {
  private static final ShipmentHeader TRACED =
      ShipmentHeaders.of(new UUID(1, 2), 0, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "w")
          .withTrace(new TraceContext(1, 2, 3, (byte) 1));

  private final LoopbackTransport transport = new LoopbackTransport();
  private final List<Integer> versions = new ArrayList<>();

  /** Reads no frame of a later version than {@code newest}, and says so as version 1 does. */
  private ShipmentAcceptor knowing(int newest, CargoReceiver receiver) {
    return (header, replies) -> {
      int version = header.toFrame().get(4);
      versions.add(version);
      if (version > newest) {
        throw new ShipmentException(
            Fault.BAD_FRAME,
            String.format(
                Locale.ROOT,
                "wire format version %d is not supported (this side: %d)",
                version,
                newest));
      }
      return receiver.accept(header, replies);
    };
  }

  private void open(int newest, int times) throws Exception {
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1);
        TransportServer server =
            transport.listen(
                InetSocketAddress.createUnresolved("loopback", 0),
                knowing(newest, receiver),
                TransportOptions.DEFAULT);
        TransportClient client = transport.client(server.address(), TransportOptions.DEFAULT)) {
      ShipmentOpening opening = new ShipmentOpening(client);
      for (int i = 0; i < times; i++) {
        opening.open(TRACED).close();
      }
    }
  }

  @Test
  void aTransactorThatKnowsTracesGetsThem() throws Exception {
    open(FrameHeader.TRACED_VERSION, 2);
    assertThat(versions).containsExactly(2, 2);
  }

  @Test
  void aTransactorOfTheVersionBeforeIsAskedOnceAndThenInItsOwn() throws Exception {
    open(FrameHeader.VERSION, 3);
    assertThat(versions).containsExactly(2, 1, 1, 1);
  }

  @Test
  void oneThatKnowsNeitherRefusesByName() {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> open(0, 1))
        .withMessage("wire format version 1 is not supported (this side: 0)");
    assertThat(versions).containsExactly(2, 1);
  }
}
