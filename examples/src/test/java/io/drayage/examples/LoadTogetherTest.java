package io.drayage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.InitialTable;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.store.column.StoredTable;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four processes, one transaction, over Netty and ZooKeeper. */
@Tag("ci")
@Timeout(120)
final class LoadTogetherTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int ROWS = 1_000;

  @TempDir private Path folder;

  @Test
  void fourProcessesCommitTogether() throws Exception {
    TableSchema numbers = TableSchema.of("numbers", ColumnSchema.of("n", ColumnType.INT));
    TransactorOptions options =
        TransactorOptions.builder("t1", ANY_PORT)
            .tables(List.of(new InitialTable(numbers, 0)))
            .build();
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(folder.resolve("zk"), ANY_PORT);
        ObjectStore objects = ObjectStores.open("fs:" + folder.resolve("store"));
        Coordination cluster =
            ZooKeeperCoordination.connect(ZooKeeperOptions.of(zooKeeper.servers()));
        TransactorNode transactor =
            TransactorNode.start(
                options,
                cluster,
                objects,
                NettyTransport.best(),
                commit -> {},
                new DrayageMetrics())) {
      LoadTogether.main(zooKeeper.servers(), Integer.toString(ROWS));

      StoredTable table = transactor.snapshot().table("numbers");
      assertThat(IntStream.range(0, (int) table.rowCount()).mapToObj(row -> table.get("n", row)))
          .containsExactlyElementsOf(IntStream.range(0, 4 * ROWS).boxed().toList());
    }
  }
}
