import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.InitialTable;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.micrometer.DrayageMeters;
import io.drayage.objectstore.ObjectStores;
import io.drayage.send.SegmentsSender;
import io.drayage.store.MemoryLimit;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A transactor with its ZooKeeper, a worker that commits a row, and their metrics. */
public class Embed {
  public static void main(String... args) throws Exception {
    Path folder = Path.of(args[0]);
    var transport = NettyTransport.best();
    var registry = new SimpleMeterRegistry();
    var metrics = new DrayageMetrics();
    var commits = new TransactorMeters(registry);
    DrayageMeters.bind(registry, metrics);
    var sales = new TableSchema("sales", List.of(new ColumnSchema("price", ColumnType.DOUBLE, false)));
    var options = TransactorOptions.builder("t1", new InetSocketAddress("127.0.0.1", 0))
        .tables(List.of(new InitialTable(sales, 0)))
        .memory(new MemoryLimit(100 << 20, 200 << 20)).build();
    try (var zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        var objects = ObjectStores.open("fs:" + folder.resolve("store"));
        var cluster = ZooKeeperCoordination.connect(ZooKeeperOptions.of(zookeeper.servers()));
        var node = TransactorNode.start(options, cluster, objects, transport, commits, metrics);
        var pool = new CodecPool(2, "encode");
        var worker = Worker.open(new WorkerOptions("w1"), cluster, objects,
            primary -> new SegmentsSender(transport.client(primary, TransportOptions.DEFAULT), pool,
                Serializers.ofName("columnar"), Compressors.ofName("none"), "w1"))) {
      commits.bind(node);
      var transaction = worker.begin();
      transaction.insert("sales", Map.of("price", 9.99));
      var report = worker.commit(transaction);
      System.out.printf("snapshot %d: %d rows%n", report.timestamp(), worker.snapshot().table("sales").liveRowCount());
      registry.getMeters().stream().map(meter -> meter.getId().getName())
          .filter(name -> name.startsWith("drayage.commit")).distinct().sorted().forEach(System.out::println);
    }
  }
}
