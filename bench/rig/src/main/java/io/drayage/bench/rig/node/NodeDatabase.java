package io.drayage.bench.rig.node;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.child.ControlMessages.StepTimes;
import io.drayage.bench.child.EffectDigest;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.TransactionLimits;
import io.drayage.internal.TemporaryFolder;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.MeasuredStore;
import io.drayage.store.AppliedChanges;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.ShipmentAcceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A transactor node with an object store in a folder. Each reset ends the node, and starts another
 * one with another root in ZooKeeper. The server stays, and so does the store, emptied, with its
 * known rates.
 */
final class NodeDatabase implements RigDatabase {
  private static final String NAME = "transactor";
  private static final long PATIENCE_S = 30;

  private final Job job;
  private final DrayageMetrics metrics;
  private final KeptServer server;
  private final Path folder;
  private final ObjectStore objects;

  /** The published commits; the list itself is the lock. */
  private final List<PublishedCommit> published = new ArrayList<>();

  private int resets;
  private @Nullable Running running;

  /** A node with all its parts. */
  private record Running(TransactorNode node, Coordination coordination, ObjectStore objects) {
    /** Ends the node, and deletes its objects so that they do not fill the disk. */
    void end() throws IOException {
      node.close();
      // The client sleeps for 100 ms. Nobody waits for its session: the next one has another root.
      new Thread(coordination::close, "zookeeper-close").start();
      for (StoredObject object : objects.list("")) {
        objects.delete(object.key());
      }
    }
  }

  NodeDatabase(Job job, UnaryOperator<ShipmentAcceptor> observer, DrayageMetrics metrics)
      throws IOException {
    this.job = job;
    this.metrics = metrics;
    this.server =
        new KeptServer(
            acceptor ->
                Systems.listen(
                    job.parsedSystem(),
                    job.options(),
                    job.anyPort(),
                    observer.apply(acceptor),
                    metrics));
    Delivery.Commits commits = Objects.requireNonNull(job.commits());
    this.folder = Files.createTempDirectory(Path.of(commits.folder()), "transactor-");
    this.objects = MeasuredStore.of(commits.open(storeName()));
  }

  private String storeName() {
    return "fs:" + folder;
  }

  @Override
  public InetSocketAddress address() {
    return server.address();
  }

  @Override
  public Cluster reset() throws IOException, InterruptedException {
    endRunning();
    synchronized (published) {
      published.clear();
    }
    resets++;
    String servers = Objects.requireNonNull(job.zookeeper()) + "/run-" + resets;
    Coordination coordination = ZooKeeperCoordination.connect(zookeeperOptions(servers));
    TransactorNode node =
        TransactorNode.start(options(), coordination, objects, server, this::addPublished, metrics);
    running = new Running(node, coordination, objects);
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!node.isPrimary()) {
      requireBefore(deadlineNs, "the transactor did not become primary");
    }
    return new Cluster(servers, storeName(), node.snapshot().timestamp(), true);
  }

  /** Returns long timeouts, so that a busy machine or a full heap's collection loses no node. */
  static ZooKeeperOptions zookeeperOptions(String servers) {
    return ZooKeeperOptions.of(servers)
        .withTimeouts(Duration.ofSeconds(PATIENCE_S), Duration.ofSeconds(PATIENCE_S));
  }

  private TransactorOptions options() {
    return TransactorOptions.builder(NAME, server.address())
        .tables(job.cargo().tables())
        .limits(Systems.limits(job.parsedSystem()))
        .codecThreads(job.options().transactorThreadsOf(job.parsedSystem()))
        // Kept like a single cargo, until it is applied; the heap is planned for that.
        .transactions(TransactionLimits.ofHeap().withCacheBytes(Long.MAX_VALUE))
        // A full snapshot would be written while the clock runs.
        .fullSnapshotEvery(Integer.MAX_VALUE)
        .storeTimeout(Duration.ofMinutes(10))
        .build();
  }

  private void addPublished(PublishedCommit commit) {
    synchronized (published) {
      published.add(commit);
    }
  }

  @Override
  public List<Applied> applied(Expected expected) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    // Workers may see a timestamp before the transactor is notified that it is published.
    while (publishedCommits().size() < expected.commits()) {
      requireBefore(deadlineNs, format("only %d commits are published", publishedCommits().size()));
    }
    return publishedCommits().stream()
        .map(
            commit ->
                new Applied(
                    commit.times().timestamp(),
                    digest(commit.changes(), expected),
                    steps(commit.times())))
        .toList();
  }

  /** Returns the digest of a commit's changes, in the expected form. */
  static long digest(AppliedChanges changes, Expected expected) {
    return expected.inAnyOrder() ? EffectDigest.of(changes.readBack()) : changes.digest();
  }

  private static StepTimes steps(CommitTimes times) {
    return new StepTimes(times.applyNs(), times.uploadNs(), times.logNs());
  }

  private List<PublishedCommit> publishedCommits() {
    synchronized (published) {
      return List.copyOf(published);
    }
  }

  private static void requireBefore(long deadlineNs, String problem)
      throws IOException, InterruptedException {
    if (System.nanoTime() > deadlineNs) {
      throw new IOException(format("%s within %d s", problem, PATIENCE_S));
    }
    TimeUnit.MILLISECONDS.sleep(2);
  }

  private void endRunning() throws IOException {
    Running ended = running;
    running = null;
    if (ended != null) {
      ended.end();
    }
  }

  @Override
  public void close() throws IOException {
    endRunning();
    objects.close();
    server.close();
    TemporaryFolder.deleteAll(folder);
  }
}
