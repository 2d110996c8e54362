package io.drayage.transactor;

import io.drayage.coordination.CodecAgreement;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.Lag;
import io.drayage.database.TransactionLimits;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import io.drayage.objectstore.rate.MeasuredStore;
import io.drayage.receive.ShipmentProgress;
import io.drayage.replica.LogFollower;
import io.drayage.replica.ProgressReports;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.StoreIdentity;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transactor. As a standby, its replica of the database follows the log. When elected, it is the
 * primary and accepts cargoes until it is deposed or closed. Thread-safe.
 *
 * <p>A takeover brings the replica to the end of the log and appends an entry of the new epoch.
 * After that entry no former primary can append. Then the takeover publishes, and begins to accept
 * cargoes.
 */
public final class TransactorNode implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(TransactorNode.class.getName());

  /** Interval of the progress reports. */
  private static final Duration PROGRESS_PAUSE = Duration.ofMillis(200);

  private final TransactorOptions options;
  private final Coordination coordination;
  private final Replica replica;
  private final SnapshotMaintenance maintenance;
  private final TermAcceptor shipments;
  private final NodeInfo node;
  private final LogFollower follower;
  private final Consumer<PublishedCommit> whenPublished;
  private final Consumer<EndedTransaction> whenEnded;
  private final DrayageMetrics metrics;
  private final PrimaryRole role;
  private final ProgressReports progress;
  private final MeasuredStore store;
  private final WatchedStore watched;
  private final OtherNodes others;
  private final LongAdder undone = new LongAdder();
  private final NodeEvents events = new NodeEvents();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Runnable end;

  private TransactorNode(
      TransactorOptions options,
      Coordination coordination,
      ObjectStore objects,
      Transport transport,
      Consumer<PublishedCommit> whenPublished,
      Consumer<EndedTransaction> whenEnded,
      DrayageMetrics metrics)
      throws IOException {
    this.options = options;
    this.coordination = coordination;
    this.whenPublished = whenPublished;
    this.whenEnded = whenEnded;
    this.metrics = metrics;
    this.store = MeasuredStore.of(objects);
    this.watched = new WatchedStore(store, System::nanoTime, events);
    SnapshotCatalog catalog = new SnapshotCatalog(watched);
    try (Begun begun = new Begun()) {
      this.maintenance = new SnapshotMaintenance(catalog);
      begun.add(maintenance::close);
      Optional<StoreIdentity.Found> before = StoreIdentity.compare(catalog, coordination);
      if (before.isEmpty() && catalog.chain() == null) {
        maintenance.makeDatabase(firstSnapshot(options));
      }
      this.replica =
          Replica.open(
              watched,
              options.codecThreads(),
              options.limits().maxCargoBytes(),
              options.historyBytes(),
              options.limits().codecs());
      begun.add(replica::close);
      loadPublished();
      this.shipments =
          new TermAcceptor(
              replica::timestampOf,
              replica.database(),
              replica::checksum,
              watched::requireNoWait,
              metrics,
              events);
      TransportServer server =
          transport.listen(options.listen(), shipments, options.transport(), metrics);
      begun.add(server::close);
      this.node = options.node(server.address().getPort());
      this.follower = new LogFollower(replica, coordination.name(), "drayage-follow");
      begun.add(follower::close);
      Membership membership = CodecAgreement.join(coordination, node);
      begun.add(membership::close);
      begun.add(
          coordination.watchPublished(published -> follower.publish(published.position()))::close);
      begun.add(coordination.watchPrimary(shipments::elected)::close);
      begun.add(coordination.watchMaintenance(shipments::maintain)::close);
      long drainMs = options.drainTimeout().toMillis();
      this.role =
          new PrimaryRole(coordination, node, replica, follower, this::newTerm, drainMs, events);
      this.others = new OtherNodes(coordination, node.name(), System::nanoTime);
      this.progress =
          new ProgressReports(membership, PROGRESS_PAUSE, this::progress, others::refresh);
      begun.add(progress::close);
      follower.addListener(snapshot -> progress.note());
      role.whenChanged(progress::note);
      begun.add(coordination.watchHandOver(role::handOver)::close);
      this.end = begun.keep();
    }
  }

  /**
   * Loads the published snapshot before others can see the node. The follower retries entries that
   * cannot be loaded, and has the reason.
   *
   * @throws ForeignDatabaseException if the store has another database, or another history
   */
  private void loadPublished() throws IOException {
    Optional<PublishedSnapshot> published = coordination.published();
    if (published.isEmpty()) {
      return;
    }
    try {
      boolean unused = replica.advance(published.get().position(), coordination.name());
    } catch (ForeignDatabaseException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "begins at snapshot {0}, not {1}: {2}",
          Long.toString(replica.snapshot().timestamp()),
          Long.toString(published.get().timestamp()),
          e.getMessage());
    }
  }

  private NodeProgress progress() {
    PrimaryTerm term = role.term();
    StoreSnapshot newest = replica.snapshot();
    return new NodeProgress(
        newest.timestamp(),
        term == null ? 0 : term.epoch(),
        newest.memoryBytes(),
        options.memory().databaseBytes(),
        term == null ? 0 : term.fragmentBytes(),
        store.name(),
        told(failure(term)),
        watched.failure());
  }

  /** Creates a term. Does not wait for the watch, which may be late. */
  private PrimaryTerm newTerm(Takeover.Done done, Consumer<String> whenLost) throws IOException {
    shipments.maintain(coordination.maintenance());
    return new PrimaryTerm(
        done,
        options,
        replica,
        maintenance,
        shipments,
        watched,
        this::published,
        whenEnded,
        metrics,
        undone,
        this::ofStore,
        whenLost);
  }

  private StoreShare ofStore(ShipmentHeader header) {
    return new StoreShare(
        store.writeBytesPerSecond(), store.readBytesPerSecond(), others.without(header.worker()));
  }

  private void published(PublishedCommit commit) {
    progress.note();
    whenPublished.accept(commit);
  }

  /**
   * Starts a transactor as a standby. If neither the object store nor the cluster has a database,
   * creates one from {@link TransactorOptions#tables}.
   *
   * @param coordination owned by the caller, as is the store
   * @param whenPublished called for each commit of this node; must not block
   * @param metrics counts received shipments
   * @throws ForeignDatabaseException if the store does not hold the database of the cluster
   * @throws IOException if the store, the coordination or the address cannot be used
   */
  public static TransactorNode start(
      TransactorOptions options,
      Coordination coordination,
      ObjectStore objects,
      Transport transport,
      Consumer<PublishedCommit> whenPublished,
      DrayageMetrics metrics)
      throws IOException {
    return start(options, coordination, objects, transport, whenPublished, ended -> {}, metrics);
  }

  /**
   * Starts a transactor, as {@link #start(TransactorOptions, Coordination, ObjectStore, Transport,
   * Consumer, DrayageMetrics)}.
   *
   * @param whenEnded called for each transaction of several workers that this node ends without
   *     effect; must not block
   */
  public static TransactorNode start(
      TransactorOptions options,
      Coordination coordination,
      ObjectStore objects,
      Transport transport,
      Consumer<PublishedCommit> whenPublished,
      Consumer<EndedTransaction> whenEnded,
      DrayageMetrics metrics)
      throws IOException {
    objects.requireWritable();
    TransactorNode node =
        new TransactorNode(
            options, coordination, objects, transport, whenPublished, whenEnded, metrics);
    try (Begun begun = new Begun(node::close)) {
      node.role.start();
      return begun.keep(node);
    }
  }

  private static StoreSnapshot firstSnapshot(TransactorOptions options) {
    MemoryStore empty = new MemoryStore();
    empty.createTables(options.tables());
    return empty.snapshot();
  }

  /** The node's name and address. */
  public NodeInfo node() {
    return node;
  }

  /** The newest snapshot of its replica. The snapshot of a primary may not be published yet. */
  public StoreSnapshot snapshot() {
    return replica.snapshot();
  }

  /** The epoch of the current term; empty for a standby. */
  public Optional<Long> epoch() {
    return Optional.ofNullable(role.term()).map(PrimaryTerm::epoch);
  }

  /** Whether it accepts cargoes. */
  public boolean isPrimary() {
    return epoch().isPresent();
  }

  /**
   * The reason why the elected node has not taken over yet, such as a corrupt or unreadable log;
   * null if there is none.
   */
  public @Nullable Exception takeoverFailure() {
    return role.takeoverFailure();
  }

  /**
   * The last failed write of a primary to its store in the last 20 to 30 seconds; null if there was
   * none. A standby does not know.
   */
  public @Nullable StoreFailure storeFailure() {
    return watched.failure();
  }

  /** Number of failed writes to the store in this process, for a reason. */
  public long failedWrites(WriteFailure why) {
    return watched.failures(why);
  }

  /** The present state of the node. */
  public NodeStatus status() {
    PrimaryTerm term = role.term();
    StoreSnapshot newest = replica.snapshot();
    return new NodeStatus(
        term == null ? 0 : term.epoch(),
        newest.timestamp(),
        Math.max(follower.published(), 0),
        term == null ? follower.lag() : Lag.NONE,
        term == null ? 0 : term.pendingCommits(),
        undone.sum(),
        newest.memoryBytes(),
        options.memory().databaseBytes(),
        options.fullSnapshotEvery(),
        maintenance.deletedObjects(),
        replica.differences(),
        shipments.maintenance(),
        told(failure(term)));
  }

  private @Nullable Exception failure(@Nullable PrimaryTerm term) {
    Exception failure = role.takeoverFailure();
    return failure == null && term == null ? follower.failure() : failure;
  }

  private static @Nullable String told(@Nullable Exception failure) {
    return failure == null ? null : String.valueOf(failure.getMessage());
  }

  /** The limits of open transactions of several workers. */
  public TransactionLimits transactionLimits() {
    return options.transactions();
  }

  /** The last events of this node: its roles, its store, and refused shipments. */
  public NodeEvents events() {
    return events;
  }

  /** The shipments that are received or wait, oldest first; none for a standby. */
  public List<ShipmentProgress> shipments() {
    PrimaryTerm term = role.term();
    return term == null ? List.of() : term.shipments();
  }

  /** The open transactions of several workers, oldest first; none for a standby. */
  public List<TransactionProgress> transactions() {
    PrimaryTerm term = role.term();
    return term == null ? List.of() : term.transactions();
  }

  /**
   * Accepts no more cargoes, stores and publishes the applied commits within {@link
   * TransactorOptions#drainTimeout}, and leaves the cluster.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    role.close();
    end.run();
    LOG.log(
        Level.INFO,
        "{0} is closed at snapshot {1}",
        node.name(),
        Long.toString(snapshot().timestamp()));
  }
}
