package io.drayage.cli.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.link.LinkedHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The ZooKeeper of Debian's package {@code zookeeper}, in a separate process. */
final class DebianZooKeeper implements AutoCloseable {
  private static final Path SCRIPT = Path.of("/usr/share/zookeeper/bin/zkServer.sh");

  private final ChildNode process;
  private final String servers;

  private DebianZooKeeper(ChildNode process, String servers) {
    this.process = process;
    this.servers = servers;
  }

  /** Starts a server with its default tick, 2 s; skips the test if it is not installed. */
  static DebianZooKeeper start(Path folder) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    LinkedHost here = new LinkedHost("127.0.0.1", List.of());
    return new DebianZooKeeper(start(folder, here, port), "127.0.0.1:" + port);
  }

  /** Starts its process on a host. */
  static ChildNode start(Path folder, LinkedHost host, int port) throws IOException {
    assumeTrue(
        Files.isExecutable(SCRIPT),
        "skipped: %s is not there, install Debian's package zookeeper".formatted(SCRIPT));
    Path configuration = Files.createDirectories(folder).resolve("zoo.cfg");
    Files.writeString(
        configuration,
        String.format(
            Locale.ROOT,
            """
        tickTime=2000
        dataDir=%s
        clientPort=%d
        clientPortAddress=%s
        admin.enableServer=false
        """,
            folder,
            port,
            host.address()));
    return ChildNode.start(
        "zookeeper",
        folder.resolve("zookeeper.log"),
        host.command(
            List.of(
                "env",
                "ZOOCFGDIR=" + folder,
                "ZOO_LOG_DIR=" + folder,
                "JMXDISABLE=true",
                SCRIPT.toString(),
                "start-foreground",
                configuration.toString())));
  }

  String servers() {
    return servers;
  }

  @Override
  public void close() {
    process.close();
  }
}
