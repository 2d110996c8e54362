package io.drayage.cli.cluster;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.Transports;
import io.drayage.cli.Drayage;
import io.drayage.codec.Serializers;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.transactor.History;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transactor.Workload;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** Workers in this JVM, transactors in separate processes, and their store and ZooKeeper. */
final class RealCluster implements AutoCloseable {
  /**
   * Time without a primary. Several that die one after the other take minutes on a busy machine.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  static final int SESSION_MS = 1_000;
  private static final String SYSTEM = "netty:raw+none@1";

  final Path folder;
  final ObjectStore objects;
  final History history = new History();
  private final String servers;
  private final String store;
  private final Deque<Runnable> resources = new ConcurrentLinkedDeque<>();

  /** Creates a cluster with ZooKeeper in this JVM, and a folder for the snapshots. */
  RealCluster(Path folder) throws IOException {
    EmbeddedZooKeeper zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
    this.folder = folder;
    this.servers = zookeeper.servers();
    this.store = "fs:" + folder.resolve("store");
    this.objects = ObjectStores.open(store);
    resources.addLast(objects::close);
    // Makes and publishes the database: workers may start before a transactor.
    TransactorNode maker = transactorHere("maker", SYSTEM);
    Waiting.await(maker::isPrimary);
    maker.close();
    resources.addLast(zookeeper::close);
  }

  String store() {
    return store;
  }

  String servers() {
    return servers;
  }

  Coordination connect() throws IOException {
    Coordination coordination = ZooKeeperLogin.open(servers, SESSION_MS);
    resources.push(coordination::close);
    return coordination;
  }

  TransactorNode transactorHere(String name) throws IOException {
    return transactorHere(name, SYSTEM);
  }

  /** Starts a transactor in this JVM that accepts shipments of this system. */
  TransactorNode transactorHere(String name, String system) throws IOException {
    SystemUnderTest shipped = Systems.notation().parse(system);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    TransactorOptions options =
        TransactorOptions.builder(name, any)
            .tables(Workload.tables())
            .limits(ReceiverLimits.ofHeap().allowing(Serializers.ofName(shipped.serializer())))
            .build();
    TransactorNode node =
        TransactorNode.start(
            options,
            connect(),
            objects,
            Transports.ofName(shipped.transport()),
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
                "--zookeeper=" + servers,
                "--session-timeout-ms=" + SESSION_MS,
                "--full-every=5"));
    resources.push(child::close);
    return child;
  }

  Worker worker(String name) throws IOException {
    return worker(name, SYSTEM);
  }

  Worker worker(String name, String system) throws IOException {
    Worker worker =
        Worker.open(
            new WorkerOptions(name)
                .withPatience(PATIENCE)
                .allowing(Serializers.ofName(Systems.notation().parse(system).serializer())),
            connect(),
            objects,
            address ->
                Systems.sender(
                    Systems.notation().parse(system),
                    SystemOptions.DEFAULT,
                    address,
                    name,
                    new DrayageMetrics()));
    worker.addListener(Workload::check);
    resources.push(worker::close);
    return worker;
  }

  /**
   * Commits the next transaction of a worker. It is made again if its snapshot is older than the
   * history of a new primary, which began with a full snapshot.
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

  /** Commits {@code transactions} of a new worker. */
  void commit(int number, int transactions) throws IOException, InterruptedException {
    Worker worker = worker("w" + number);
    for (int i = 0; i < transactions; i++) {
      commit(worker, number);
    }
  }

  @Override
  public void close() {
    resources.forEach(Runnable::run);
  }
}
