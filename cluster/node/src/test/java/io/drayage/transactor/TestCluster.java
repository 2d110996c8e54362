package io.drayage.transactor;

import io.drayage.baseline.stream.StreamSender;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.store.MemoryLimit;
import io.drayage.testing.Waiting;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Transactors and workers in one JVM, over the loopback transport; by default in a folder. */
final class TestCluster implements AutoCloseable {
  /** Makes a node's connection to the coordination. */
  interface Connect {
    Coordination connect() throws IOException;
  }

  static final ReceiverLimits LIMITS = new ReceiverLimits(1 << 28, 1 << 29, 16);

  /** Long enough for a busy machine. A test that passes does not wait for it. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final InMemoryCluster cluster = new InMemoryCluster();
  final LoopbackTransport transport = new LoopbackTransport();
  final List<CommitTimes> times = new CopyOnWriteArrayList<>();
  final List<EndedTransaction> ended = new CopyOnWriteArrayList<>();
  final ObjectStore objects;
  private final Connect connect;
  private final CodecPool pool = new CodecPool(2, "encode");
  private final Deque<Runnable> resources = new ArrayDeque<>();
  private boolean stream;

  TestCluster(Path folder) throws IOException {
    this(ObjectStores.open("fs:" + folder));
  }

  TestCluster(ObjectStore objects) {
    this.objects = objects;
    this.connect = () -> new InMemoryCoordination(cluster);
  }

  TestCluster(ObjectStore objects, Connect connect) {
    this.objects = objects;
    this.connect = connect;
  }

  /** Workers ship as streams from now on. */
  void useStreams() {
    stream = true;
  }

  TransactorNode transactor(String name) throws IOException {
    return transactor(options(name));
  }

  TransactorNode primary(String name) throws IOException {
    return primary(options(name));
  }

  /** Starts a transactor, and returns when it is primary. */
  TransactorNode primary(TransactorOptions options) throws IOException {
    TransactorNode node = transactor(options);
    Waiting.await(node::isPrimary);
    return node;
  }

  /** The port of a node. */
  static int port(TransactorNode node) {
    String address = node.node().address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  static TransactorOptions options(String name) {
    return options(name, LIMITS);
  }

  static TransactorOptions options(String name, ReceiverLimits limits) {
    return options(name, limits, 1_000, PATIENCE);
  }

  static TransactorOptions options(
      String name, ReceiverLimits limits, int fullSnapshotEvery, Duration storeTimeout) {
    return options(name, limits, MemoryLimit.NONE, fullSnapshotEvery, storeTimeout);
  }

  static TransactorOptions options(
      String name,
      ReceiverLimits limits,
      MemoryLimit memory,
      int fullSnapshotEvery,
      Duration storeTimeout) {
    return TransactorOptions.builder(name, InetSocketAddress.createUnresolved("127.0.0.1", 0))
        .tables(Workload.tables())
        .limits(limits.allowing(Serializers.ofName("java")))
        .codecThreads(2)
        .transport(TransportOptions.builder().drainTimeout(Duration.ZERO).build())
        .memory(memory)
        .historyBytes(1 << 24)
        .fullSnapshotEvery(fullSnapshotEvery)
        .storeTimeout(storeTimeout)
        .drainTimeout(Duration.ofSeconds(5))
        .build();
  }

  TransactorNode transactor(TransactorOptions options) throws IOException {
    return transactor(options, commit -> times.add(commit.times()));
  }

  TransactorNode transactor(TransactorOptions options, Consumer<PublishedCommit> whenPublished)
      throws IOException {
    return transactor(options, coordination(), whenPublished);
  }

  /** Starts a transactor with its own coordination, owned by the caller. */
  TransactorNode transactor(String name, Coordination coordination) throws IOException {
    return transactor(options(name), coordination, commit -> {});
  }

  private TransactorNode transactor(
      TransactorOptions options, Coordination coordination, Consumer<PublishedCommit> whenPublished)
      throws IOException {
    TransactorNode node =
        TransactorNode.start(
            options,
            coordination,
            objects,
            transport,
            whenPublished,
            ended::add,
            new DrayageMetrics());
    resources.push(node::close);
    return node;
  }

  /** Makes a connection whose watchers are notified of publications only by these callbacks. */
  Coordination deaf(List<Consumer<PublishedSnapshot>> watchers) {
    Coordination deaf =
        new InMemoryCoordination(cluster) {
          @Override
          public Registration watchPublished(Consumer<PublishedSnapshot> watcher) {
            watchers.add(watcher);
            return () -> {};
          }
        };
    resources.push(deaf::close);
    return deaf;
  }

  Worker worker(String name) throws IOException {
    return worker(new WorkerOptions(name).withPatience(PATIENCE));
  }

  /** The worker also reads the codecs that the transactors accept. */
  Worker worker(WorkerOptions options) throws IOException {
    WorkerOptions reading = options.allowing(Serializers.ofName("java"));
    Worker worker = Worker.open(reading, coordination(), objects, this::connect);
    resources.push(worker::close);
    return worker;
  }

  /** Begins a transaction of several workers, with a coordinator of this name. */
  DistributedTransaction begin(String name) throws IOException, InterruptedException {
    return DistributedTransaction.begin(
        new DistributedTransaction.Options(name), coordination(), this::connect);
  }

  /** Makes a sender of fragments of such a transaction. */
  FragmentSender fragments(TransactionHandle handle) throws IOException {
    return new FragmentSender(handle, coordination(), this::connect, PATIENCE);
  }

  CargoSender sender(int port) {
    return connect(InetSocketAddress.createUnresolved("127.0.0.1", port));
  }

  /** A node's connection to the coordination. */
  Coordination coordination() throws IOException {
    Coordination coordination = connect.connect();
    resources.push(coordination::close);
    return coordination;
  }

  CargoSender connect(InetSocketAddress address) {
    return connect(address, "test");
  }

  /** A sender under the name of a worker. */
  CargoSender connect(InetSocketAddress address, String worker) {
    TransportClient client = transport.client(address, TransportOptions.DEFAULT);
    return stream
        ? new StreamSender(client, Serializers.ofName("java"), Compressors.ofName("none"), worker)
        : new SegmentsSender(
            client, pool, Serializers.ofName("raw"), Compressors.ofName("zstd"), worker);
  }

  @Override
  public void close() {
    resources.forEach(Runnable::run);
    pool.close();
    objects.close();
  }
}
