package io.drayage.bench.rig.node;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.database.LoadMode;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.store.AppliedChanges;
import io.drayage.worker.CommitReport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A worker node under the rig: a new one for every iteration, with a copy of that iteration's
 * database; the sender stays. Not thread-safe.
 */
final class WorkerNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final String name;
  private final Delivery.Commits commits;
  private final Runnable whenSent;
  private @Nullable Running running;

  /** The sender of the next commit. */
  private @Nullable CargoSender through;

  /**
   * @param worker null if it only sends fragments
   * @param downloads a copy that downloads the snapshots of the worker's own cargoes; or null
   */
  private record Running(
      @Nullable Worker worker,
      Coordination coordination,
      ObjectStore objects,
      @Nullable Replica downloads) {
    void close() {
      if (downloads != null) {
        downloads.close();
      }
      if (worker != null) {
        worker.close();
      }
      new Thread(coordination::close, "zookeeper-close").start(); // The transactor does the same.
      objects.close();
    }
  }

  /** A sender that outlives the nodes. */
  private final class KeptSender implements CargoSender {
    @Override
    public SendReport send(ChangeCargo cargo, SendOptions options)
        throws ShipmentException, InterruptedException {
      SendReport report = Objects.requireNonNull(through).send(cargo, options);
      whenSent.run();
      return report;
    }

    @Override
    public TransactionAnswer ask(TransactionRequest request, Duration patience)
        throws ShipmentException, InterruptedException {
      return Objects.requireNonNull(through).ask(request, patience);
    }

    @Override
    public DrayageMetrics metrics() {
      return Objects.requireNonNull(through).metrics();
    }

    @Override
    public void close() {
      // The child owns it.
    }
  }

  /**
   * @param whenSent called when a cargo is sent and answered, before its snapshot is loaded
   */
  WorkerNode(String name, Delivery.Commits commits, Runnable whenSent) {
    this.name = name;
    this.commits = commits;
    this.whenSent = whenSent;
  }

  /** Resets the node to this database. */
  void reset(Cluster cluster) throws IOException, InterruptedException {
    close();
    ObjectStore objects = commits.open(cluster.store());
    Coordination coordination =
        ZooKeeperCoordination.connect(NodeDatabase.zookeeperOptions(cluster.zookeeper()));
    if (!cluster.replica()) {
      running = new Running(null, coordination, objects, null);
      return;
    }
    WorkerOptions options = new WorkerOptions(name).withLoad(commits.load()).withPatience(PATIENCE);
    for (Serializer serializer : Serializers.all()) {
      options = options.allowing(serializer);
    }
    Worker worker = Worker.open(options, coordination, objects, address -> new KeptSender());
    Replica downloads =
        commits.alsoDownloads()
            ? Replica.openUpTo(
                objects,
                options.threads(),
                options.maxCargoBytes(),
                options.codecs(),
                cluster.timestamp())
            : null;
    running = new Running(worker, coordination, objects, downloads);
    if (!worker.awaitSnapshot(cluster.timestamp(), Duration.ofSeconds(30))) {
      throw new IOException(format("snapshot %d is not loaded within 30 s", cluster.timestamp()));
    }
  }

  /**
   * Commits a cargo.
   *
   * @param sender for the cargo; owned by the caller
   * @throws IOException if the cargo had to be sent more than once, which is no measurement
   */
  CommitReport commit(ChangeCargo cargo, CargoSender sender)
      throws IOException, InterruptedException {
    through = sender;
    Worker worker = worker();
    CommitReport report = worker.commit(cargo, options());
    if (report.attempts() > 1) {
      throw new IOException(format("the cargo was sent %d times", report.attempts()));
    }
    return report;
  }

  /**
   * Downloads the snapshot of a commit, which is not part of the commit.
   *
   * @return the time of the download, maybe within the commit; null if there was no download
   */
  @Nullable Long downloadNs(CommitReport report) throws IOException {
    if (commits.load() == LoadMode.STORE) {
      return report.loadNs();
    }
    Replica downloads = Objects.requireNonNull(running).downloads;
    if (downloads == null) {
      return null;
    }
    long timestamp = report.send().snapshotTimestamp();
    long beganNs = System.nanoTime();
    long reached = downloads.advance(timestamp);
    if (reached != timestamp) {
      throw new IOException(
          format("snapshot %d was to be downloaded, the store has only %d", timestamp, reached));
    }
    return System.nanoTime() - beganNs;
  }

  /** Returns a sender whose close does not close {@code sender}, which the caller owns. */
  CargoSender kept(CargoSender sender) {
    through = sender;
    return new KeptSender();
  }

  /** Checks whether it keeps a copy of the database. */
  boolean hasReplica() {
    return running().worker != null;
  }

  /** Returns the coordination that finds the primary. */
  Coordination coordination() {
    return running().coordination;
  }

  /** Returns the options of a commit. */
  CommitOptions options() {
    // Workers of one comparison may change the same cells.
    return new CommitOptions(commits.acknowledgement(), OnConflict.OVERWRITE);
  }

  /** Waits until a snapshot is loaded. */
  void awaitLoaded(long timestamp) throws IOException, InterruptedException {
    if (!worker().awaitSnapshot(timestamp, PATIENCE)) {
      throw new IOException(format("snapshot %d is not loaded", timestamp));
    }
  }

  /** Returns the newest loaded snapshot. */
  Applied loaded(Expected expected) {
    AppliedChanges changes = worker().lastApplied();
    if (changes == null) {
      throw new IllegalStateException(
          format(
              "snapshot %d, the newest, changes nothing: the transactor was elected again meanwhile",
              worker().snapshot().timestamp()));
    }
    return new Applied(changes.timestamp(), NodeDatabase.digest(changes, expected), null);
  }

  private Worker worker() {
    return Objects.requireNonNull(running().worker);
  }

  private Running running() {
    if (running == null) {
      throw new IllegalStateException("there is no database yet");
    }
    return running;
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
      running = null;
    }
  }
}
