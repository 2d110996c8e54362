package io.drayage.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class ServerCheckTest {
  @Test
  void tellsAnUnknownHostFromAWrongPort() throws Exception {
    int port;
    try (ServerSocket socket =
        new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      port = socket.getLocalPort();
      assertThat(ServerCheck.of("127.0.0.1:" + port + "/root"))
          .startsWith("the server at 127.0.0.1:" + port);
    }
    assertThat(ServerCheck.of("no-such-host.invalid:2181,127.0.0.1:" + port))
        .startsWith(
            "the host 'no-such-host.invalid' is unknown; nothing listens at 127.0.0.1:" + port);
    assertThat(ServerCheck.of("[::1]:99999")).isEqualTo("the host '[::1]:99999' is unknown");
  }
}
