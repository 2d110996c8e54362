package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** gRPC has no TLS here, and refuses the options for it. */
final class GrpcSecurityTest {
  private static final List<Transport> TRANSPORTS =
      List.of(new GrpcTransport(), GrpcTransport.tuned());

  private static final ShipmentAcceptor NOBODY =
      (header, replies) -> {
        throw new ShipmentException(Fault.REFUSED, "nobody is here");
      };

  @Test
  void refusesTlsByName() {
    TransportOptions options = TransportOptions.builder().tls(TlsOptions.ofClient(null)).build();
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (Transport transport : TRANSPORTS) {
      String message = "transport '%s' has no TLS".formatted(transport.name());
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> transport.client(loopback, options))
          .withMessageContaining(message);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> transport.listen(loopback, NOBODY, options))
          .withMessageContaining(message);
    }
  }

  @Test
  void listensBeyondLoopbackOnlyIfToldSo() throws Exception {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    for (Transport transport : TRANSPORTS) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> transport.listen(everywhere, NOBODY, TransportOptions.DEFAULT))
          .withMessageContainingAll("0.0.0.0", "insecure(true)");
      transport
          .listen(everywhere, NOBODY, TransportOptions.builder().insecure(true).build())
          .close();
    }
  }
}
