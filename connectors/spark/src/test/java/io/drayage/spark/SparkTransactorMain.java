package io.drayage.spark;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A transactor in a separate process, until its standard input ends. */
final class SparkTransactorMain {
  private SparkTransactorMain() {}

  /** Arguments: its name, ZooKeeper, store, and the folder of {@link Beacon}s. */
  public static void main(String... args) throws Exception {
    try (ObjectStore objects = new Hold(ObjectStores.open(args[2]), args[3]);
        Coordination coordination = ZooKeeperCoordination.connect(ZooKeeperOptions.of(args[1]));
        TransactorNode node =
            TransactorNode.start(
                TransactorOptions.builder(
                        args[0], new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .build(),
                coordination,
                objects,
                NettyTransport.best(),
                commit -> {},
                new DrayageMetrics())) {
      System.out.println(node.node());
      while (System.in.read() >= 0) {
        // Reads until the end.
      }
    }
  }
}
