package io.drayage.cli.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.link.LinkedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The ZooKeeper of Debian's package {@code zookeeper}, in a separate process. */
final class DebianZooKeeper {
  private static final Path SCRIPT = Path.of("/usr/share/zookeeper/bin/zkServer.sh");

  private DebianZooKeeper() {}

  /** Starts it on a host, with its default tick, 2 s; skips the test if it is not installed. */
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
}
