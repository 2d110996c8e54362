package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.transport.HostPort;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class ListeningTest {
  @Test
  void saysInWordsWhyItCannotListen() throws Exception {
    try (CargoReceiver receiver =
            new CargoReceiver(
                (MemoryCommitter) held -> 1, new ReceiverLimits(1 << 20, 1 << 20, 1), 1);
        TransportServer first = listen(receiver, local(), 0)) {
      assertThatThrownBy(() -> listen(receiver, local(), first.address().getPort()))
          .isInstanceOf(BindException.class)
          .hasMessage(
              "cannot listen at %s: the port is in use: name another one, or stop the process that uses it",
              HostPort.text(first.address()));
      assertThatThrownBy(
              () -> listen(receiver, InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 0))
          .isInstanceOf(BindException.class)
          .hasMessage(
              "cannot listen at 192.0.2.1:0: this host has no such address: name one of this host");
      assertThatThrownBy(
              () -> listen(receiver, InetSocketAddress.createUnresolved("nowhere.invalid", 7)))
          .isInstanceOf(BindException.class)
          .hasMessage(
              "cannot listen at nowhere.invalid:7: this host is unknown: name one of this machine");
    }
  }

  private static TransportServer listen(CargoReceiver receiver, InetAddress host, int port)
      throws Exception {
    return listen(receiver, new InetSocketAddress(host, port));
  }

  private static TransportServer listen(CargoReceiver receiver, InetSocketAddress address)
      throws Exception {
    return NettyTransport.best()
        .listen(address, receiver, TransportOptions.builder().insecure(true).build());
  }

  private static InetAddress local() throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }
}
