package io.drayage.cli.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The ZooKeeper of Debian's package {@code zookeeper}, as a process of its own. */
final class DebianZooKeeper implements AutoCloseable {
  private static final Path SCRIPT = Path.of("/usr/share/zookeeper/bin/zkServer.sh");

  private final ChildNode process;
  private final int port;

  private DebianZooKeeper(ChildNode process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one with its default tick, 2 s; skips the test where it is not installed. */
  static DebianZooKeeper start(Path folder) throws IOException {
    assumeTrue(
        Files.isExecutable(SCRIPT),
        "skipped: %s is not there, install Debian's package zookeeper".formatted(SCRIPT));
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path configuration = Files.createDirectories(folder).resolve("zoo.cfg");
    Files.writeString(
        configuration,
        """
        tickTime=2000
        dataDir=%s
        clientPort=%d
        clientPortAddress=127.0.0.1
        admin.enableServer=false
        """
            .formatted(folder, port));
    ChildNode process =
        ChildNode.start(
            "zookeeper",
            folder.resolve("zookeeper.log"),
            List.of(
                "env",
                "ZOOCFGDIR=" + folder,
                "ZOO_LOG_DIR=" + folder,
                "JMXDISABLE=true",
                SCRIPT.toString(),
                "start-foreground",
                configuration.toString()));
    return new DebianZooKeeper(process, port);
  }

  String servers() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.close();
  }
}
