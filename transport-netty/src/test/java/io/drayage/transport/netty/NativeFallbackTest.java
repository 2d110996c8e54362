package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process whose native code cannot be used logs this once. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
final class NativeFallbackTest {
  private static final long DEADLINE_S = 100;

  @TempDir private Path folder;

  @Test
  void isSaidOnceWithItsCause() throws Exception {
    List<String> options =
        List.of(
            "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%n",
            "-Dio.netty.transport.noNative=true", "-Dio.netty.handler.ssl.noOpenSsl=true");

    String said = ChildJvm.run(folder, DEADLINE_S, options, Main.class);

    assertThat(said.lines().filter(line -> line.startsWith("WARNING")))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("WARNING epoll cannot be used, netty uses NIO, which is slower: ")
                    .contains("-Dio.netty.transport.noNative=true"),
            line ->
                assertThat(line)
                    .startsWith(
                        "WARNING BoringSSL cannot be used, TLS uses the JDK, which is slower: ")
                    .contains("-Dio.netty.handler.ssl.noOpenSsl=true"));
    assertThat(said.lines().filter(line -> line.startsWith("uses")))
        .containsExactly("uses NIO: netty over NIO", "uses NIO: netty over NIO");
  }

  @Test
  void nothingIsSaidWithoutOne() {
    assertThat(NettyTransport.best()).hasToString("netty over EPOLL");
    assertThat(NettyTransport.of(NativeIo.NIO)).hasToString("netty-nio over NIO");
    assertThat(NettyTransport.of(NativeIo.NIO).io()).isEqualTo(NativeIo.NIO);
  }

  /** Makes transports and clients with TLS, and prints which code they use. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) {
      TransportOptions secured = TransportOptions.builder().tls(TlsOptions.ofClient(null)).build();
      for (int use = 0; use < 2; use++) {
        NettyTransport transport = NettyTransport.best();
        System.out.println("uses " + transport.io() + ": " + transport);
        transport
            .client(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), secured)
            .close();
      }
    }
  }
}
