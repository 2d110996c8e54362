package io.drayage.bench.cluster;

import io.drayage.bench.Drayage;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.node.History;
import io.drayage.node.TransactorNode;
import io.drayage.node.TransactorOptions;
import io.drayage.node.Workload;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.transactor.StoreSnapshot;
import io.drayage.transactor.Transaction;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ZooKeeper, object store and workers in this JVM, transactors in processes of their own. */
final class RealCluster implements AutoCloseable {
  static final int SESSION_MS = 1_500;

  final Path folder;
  final EmbeddedZooKeeper zookeeper;
  final ObjectStore objects;
  final History history = new History();
  private final Deque<Runnable> resources = new ArrayDeque<>();

  RealCluster(Path folder) throws IOException {
    this.folder = folder;
    this.zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
    this.objects = ObjectStores.open("fs:" + folder.resolve("store"));
    // Makes the database.
    transactorHere("maker").close();
  }

  String store() {
    return "fs:" + folder.resolve("store");
  }

  Coordination connect() throws IOException {
    Coordination coordination = ClusterOptions.connect(zookeeper.servers(), SESSION_MS);
    resources.push(coordination::close);
    return coordination;
  }

  TransactorNode transactorHere(String name) throws IOException {
    TransactorOptions options =
        new TransactorOptions(
            name, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Workload.tables());
    TransactorNode node =
        TransactorNode.start(
            options,
            connect(),
            objects,
            Systems.requireTransport("netty"),
            times -> {},
            new DrayageMetrics());
    resources.push(node::close);
    return node;
  }

  ChildNode transactor(String name, @Nullable String crashAt) throws IOException {
    ChildNode child =
        ChildNode.start(
            name,
            folder,
            Drayage.class,
            crashAt,
            List.of(
                "transactor",
                "--name=" + name,
                "--listen=127.0.0.1:0",
                "--data=" + folder.resolve(name),
                "--store=" + store(),
                "--zookeeper=" + zookeeper.servers(),
                "--session-timeout-ms=" + SESSION_MS,
                "--full-every=5"));
    resources.push(child::close);
    return child;
  }

  Worker worker(String name) throws IOException {
    Worker worker =
        Worker.open(
            new WorkerOptions(name).withPatience(Duration.ofSeconds(60)),
            connect(),
            objects,
            address ->
                Systems.sender(
                    Systems.notation().parse("netty:raw+none@1"),
                    SystemOptions.DEFAULT,
                    address,
                    name,
                    new DrayageMetrics()));
    worker.addListener(Workload::check);
    resources.push(worker::close);
    return worker;
  }

  /**
   * The next transaction of a worker; made anew if its snapshot is older than all that a new
   * primary knows the changes since, because it began with a full snapshot.
   */
  void commit(Worker worker, int number) throws IOException, InterruptedException {
    while (true) {
      StoreSnapshot snapshot = worker.snapshot();
      int next = Workload.committed(snapshot, number) + 1;
      Transaction transaction = Workload.next(snapshot, number, next);
      try {
        history.acknowledged(number, transaction.id(), worker.commit(transaction).timestamp());
        return;
      } catch (ShipmentException e) {
        if (e.fault() != Fault.CONFLICT || !String.valueOf(e.getMessage()).contains("too old")) {
          throw e;
        }
        history.refused(transaction.id());
        worker.awaitSnapshot(snapshot.timestamp() + 1, Duration.ofSeconds(15));
      }
    }
  }

  @Override
  public void close() {
    resources.forEach(Runnable::run);
    objects.close();
    zookeeper.close();
  }
}
