package io.drayage.bench.commits;

import com.sun.management.OperatingSystemMXBean;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.InitialTable;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStores;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.HostPort;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Main class of a node with a ZooKeeper in its process, as {@code drayage transactor} runs it. */
public final class CommitNodeMain {
  /** The table of all rows. */
  static final TableSchema TABLE =
      new TableSchema(
          "t",
          List.of(
              new ColumnSchema("id", ColumnType.LONG, false),
              new ColumnSchema("value", ColumnType.LONG, false)));

  private CommitNodeMain() {}

  /**
   * Serves until the rig kills it.
   *
   * @param arguments a folder for ZooKeeper, and the name of an empty store
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    InetAddress here = InetAddress.getLoopbackAddress();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    CountingStore store = new CountingStore(ObjectStores.open(arguments[1]));
    NettyTransport transport = NettyTransport.best();
    try (EmbeddedZooKeeper zookeeper =
            EmbeddedZooKeeper.start(Path.of(arguments[0]), new InetSocketAddress(here, 0));
        Coordination coordination =
            ZooKeeperCoordination.connect(ZooKeeperOptions.of(zookeeper.servers()))) {
      TransactorOptions options =
          TransactorOptions.builder("commits", new InetSocketAddress(here, 0))
              .tables(List.of(new InitialTable(TABLE, 0)))
              .build();
      TransactorNode node =
          TransactorNode.start(
              options, coordination, store, transport, commit -> {}, new DrayageMetrics());
      while (!node.isPrimary()) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      ChildLoop.serve(
          (command, none) ->
              command == Command.PREPARE
                  ? listening(node.node().address())
                  : new ServerCost(
                      system.getProcessCpuTime() / 1e9, store.objects(), store.bytes()));
    }
  }

  private static Listening listening(String address) {
    InetSocketAddress parsed = HostPort.parse(address);
    return new Listening(parsed.getHostString(), parsed.getPort());
  }
}
