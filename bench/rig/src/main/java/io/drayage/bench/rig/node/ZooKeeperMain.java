package io.drayage.bench.rig.node;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Main class of the ZooKeeper of all systems of a run. */
public final class ZooKeeperMain {
  private ZooKeeperMain() {}

  /**
   * Serves until the rig kills it.
   *
   * @param arguments the folder for its data, and the IP address at which it listens
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    InetSocketAddress anyPort = new InetSocketAddress(arguments[1], 0);
    try (EmbeddedZooKeeper zookeeper = EmbeddedZooKeeper.start(Path.of(arguments[0]), anyPort)) {
      ChildLoop.serve((command, none) -> new Listening(arguments[1], zookeeper.port()));
    }
  }
}
