package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.child.ControlMessages.Listening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RawSocketTest {
  private static final Listening ANY_PORT = new Listening("127.0.0.1", 0);

  @Test
  void movesBytesAgainAndAgain() throws Exception {
    try (RawSocket sink = new RawSocket();
        RawSocket source = new RawSocket()) {
      InetSocketAddress address = sink.listen(ANY_PORT);
      assertThat(source.send(address, 1)).isEqualTo(1);
      assertThat(source.send(address, 50 << 20)).isEqualTo(50 << 20);
    }
  }

  @Test
  void failsWhenTheSinkIsGone() throws Exception {
    try (RawSocket source = new RawSocket()) {
      InetSocketAddress address;
      try (ServerSocket sink = new ServerSocket(0)) {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.getLocalPort());
        Thread resets = new Thread(() -> reset(sink));
        resets.start();
        assertThatThrownBy(() -> source.send(address, 50 << 20))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("gone");
        resets.join();
      }
      assertThatThrownBy(() -> source.send(address, 1)).hasMessageContaining("cannot connect");
    }
  }

  private static void reset(ServerSocket sink) {
    try {
      Socket accepted = sink.accept();
      assertThat(accepted.getInputStream().read()).isZero();
      accepted.setSoLinger(true, 0);
      accepted.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
