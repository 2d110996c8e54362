package io.drayage.transactor;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transactor: stands by, with a copy of the database that follows the log, until it is elected;
 * then it is the primary, and takes cargoes, until it is deposed or closed. Thread-safe.
 *
 * <p>A takeover brings the copy to the end of the log, adds an entry of the new epoch, after which
 * no former primary can add one, publishes, and begins to take cargoes.
 */
public final class TransactorNode implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(TransactorNode.class.getName());
  private static final long RETRY_MS = 200;

  /** Whoever cannot take over for so long lets another try. */
  private static final long TAKEOVER_PATIENCE_NS = 10_000_000_000L;

  private final TransactorOptions options;
  private final Coordination coordination;
  private final ObjectStore objects;
  private final Replica replica;
  private final FullSnapshotWriter fullSnapshots;
  private final TermShipments shipments;
  private final TransportServer server;
  private final NodeInfo node;
  private final LogFollower follower;
  private final Consumer<PublishedCommit> whenPublished;
  private final DrayageMetrics metrics;
  private final Registration membership;
  private final Registration watch;

  /** Guarded by this. */
  private @Nullable Registration candidacy;

  /**
   * Held while a term begins or ends: it begins when the one before has let go of the copy, and
   * closing waits for either.
   */
  private final Object takingOver = new Object();

  /** Guarded by this. */
  private @Nullable PrimaryTerm primary;

  /** Guarded by this. */
  private boolean closed;

  private volatile @Nullable Exception takeoverFailure;

  private TransactorNode(
      TransactorOptions options,
      Coordination coordination,
      ObjectStore objects,
      Transport transport,
      Consumer<PublishedCommit> whenPublished,
      DrayageMetrics metrics)
      throws IOException {
    this.options = options;
    this.coordination = coordination;
    this.objects = objects;
    this.whenPublished = whenPublished;
    this.metrics = metrics;
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    Deque<Runnable> begun = new ArrayDeque<>();
    boolean whole = false;
    try {
      this.fullSnapshots = new FullSnapshotWriter(catalog);
      begun.push(fullSnapshots::close);
      if (catalog.chain() == null) {
        fullSnapshots.writeFirst(firstSnapshot(options));
      }
      this.replica =
          Replica.open(
              objects,
              options.codecThreads(),
              options.limits().maxCargoBytes(),
              options.historyBytes());
      begun.push(replica::close);
      this.shipments = new TermShipments(this::whoIsPrimary);
      this.server =
          transport.listen(options.listen(), shipments, options.transport().withMetrics(metrics));
      begun.push(server::close);
      this.node = options.node(server.address().getPort());
      this.follower = new LogFollower(replica, "drayage-follow");
      begun.push(follower::close);
      this.membership = coordination.join(node);
      begun.push(membership::close);
      this.watch =
          coordination.watchPublished(published -> follower.publish(published.timestamp()));
      whole = true;
    } finally {
      if (!whole) {
        begun.forEach(Runnable::run);
      }
    }
  }

  /** Takes part in elections; once more after it has given up a term by itself. */
  private void stand() throws CoordinationException {
    Registration stood;
    synchronized (this) {
      stood = candidacy;
      candidacy = null;
    }
    if (stood != null) {
      stood.close();
    }
    synchronized (this) {
      if (!closed) {
        candidacy = coordination.stand(node, new Listener());
      }
    }
  }

  private final class Listener implements CandidacyListener {
    @Override
    public void elected(Term term) {
      takeOver(term);
    }

    @Override
    public void deposed(Term term) {
      stepDown(term.epoch(), "another transactor was elected, or may be");
    }
  }

  /**
   * Starts a transactor as a standby. If the object store holds no database, one is made of {@link
   * TransactorOptions#tables}.
   *
   * @param coordination stays the caller's, as the store does
   * @param whenPublished hears of every commit of this node's; must not block
   * @param metrics counts what is received
   * @throws IOException if the store, the coordination or the address cannot be used, saying why
   */
  public static TransactorNode start(
      TransactorOptions options,
      Coordination coordination,
      ObjectStore objects,
      Transport transport,
      Consumer<PublishedCommit> whenPublished,
      DrayageMetrics metrics)
      throws IOException {
    TransactorNode node =
        new TransactorNode(options, coordination, objects, transport, whenPublished, metrics);
    boolean standing = false;
    try {
      node.stand();
      standing = true;
      return node;
    } finally {
      if (!standing) {
        node.close();
      }
    }
  }

  private static StoreSnapshot firstSnapshot(TransactorOptions options) {
    MemoryStore empty = new MemoryStore(0, ForkJoinPool.commonPool(), 1);
    options.tables().forEach(table -> empty.createTable(table.schema(), table.rows()));
    return empty.snapshot();
  }

  private String whoIsPrimary() {
    try {
      return coordination
          .primary()
          .map(PrimaryInfo::node)
          .map(elected -> "%s at %s is".formatted(elected.name(), elected.address()))
          .orElse("there is none");
    } catch (CoordinationException e) {
      return "the coordination cannot be reached: " + e.getMessage();
    }
  }

  private String label() {
    return node.name() + " at " + node.address();
  }

  /** How workers reach it, and its name. */
  public NodeInfo node() {
    return node;
  }

  /** The newest snapshot of its copy; that of a primary may not be published yet. */
  public StoreSnapshot snapshot() {
    return replica.snapshot();
  }

  /** The epoch of the term as primary; empty of a standby. */
  public synchronized Optional<Long> epoch() {
    return Optional.ofNullable(primary).map(PrimaryTerm::epoch);
  }

  /** Whether it takes cargoes. */
  public boolean isPrimary() {
    return epoch().isPresent();
  }

  /**
   * Why it has been elected and takes no cargoes yet, such as a log that cannot be read or is not
   * what was stored; null if nothing is wrong.
   */
  public @Nullable Exception takeoverFailure() {
    return takeoverFailure;
  }

  /** On the candidacy's thread: nothing else is elected or deposed meanwhile. */
  private void takeOver(Term term) {
    LOG.log(Level.INFO, "{0} is elected, epoch {1}", label(), Long.toString(term.epoch()));
    CrashPoint.ELECTED.reach();
    try {
      if (takeOverUntilDone(term)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      takeoverFailure = null;
    }
    follower.resume();
  }

  /** Whether there is no more to do. */
  private boolean takeOverUntilDone(Term term) throws InterruptedException {
    long beganNs = System.nanoTime();
    while (!term.isOver() && !isClosed()) {
      Exception failure;
      try {
        if (tryTakeOver(term)) {
          return true;
        }
        continue;
      } catch (IOException | RuntimeException e) {
        failure = e;
      } catch (Error e) {
        // Such as a snapshot for which the memory does not suffice: another may have more.
        failure = new IllegalStateException(e.toString(), e);
      }
      if (isClosed()) {
        return true;
      }
      noteTakeoverFailure(failure);
      if (System.nanoTime() - beganNs > TAKEOVER_PATIENCE_NS) {
        resignLater(term.epoch(), "it cannot take over");
        return false;
      }
      Thread.sleep(RETRY_MS);
    }
    return false;
  }

  private void noteTakeoverFailure(Exception failure) {
    Exception before = takeoverFailure;
    takeoverFailure = failure;
    if (before == null || !failure.toString().equals(before.toString())) {
      LOG.log(Level.WARNING, "the takeover has to wait: {0}", failure.toString());
    }
  }

  private boolean tryTakeOver(Term term) throws IOException {
    synchronized (takingOver) {
      if (isClosed()) {
        return false;
      }
      follower.pause();
      begin(new Takeover(replica, term).run());
      return true;
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void begin(Takeover.Done done) {
    PrimaryTerm begun =
        new PrimaryTerm(
            done,
            options,
            replica,
            objects,
            fullSnapshots,
            whenPublished,
            metrics,
            reason -> resignLater(done.term().epoch(), reason));
    synchronized (this) {
      if (closed) {
        begun.close();
        return;
      }
      primary = begun;
    }
    begun.start();
    shipments.begin(begun.receiver());
    fullSnapshots.cleanLater();
    LOG.log(
        Level.INFO,
        "{0} is primary from snapshot {1} on, epoch {2}",
        label(),
        Long.toString(replica.snapshot().timestamp()),
        Long.toString(begun.epoch()));
  }

  /** By a thread of the term, which must not wait for its own end. */
  private void resignLater(long epoch, String reason) {
    Thread thread =
        new Thread(
            () -> {
              stepDown(epoch, reason);
              standAgain();
            },
            "drayage-step-down");
    thread.setDaemon(true);
    thread.start();
  }

  private void standAgain() {
    while (!isClosed()) {
      try {
        stand();
        return;
      } catch (CoordinationException e) {
        LOG.log(Level.WARNING, "{0} cannot stand for election yet: {1}", label(), e.getMessage());
      }
      try {
        Thread.sleep(RETRY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void stepDown(long epoch, String reason) {
    synchronized (takingOver) {
      PrimaryTerm ended = takePrimary(epoch);
      if (ended == null) {
        return;
      }
      LOG.log(
          Level.WARNING,
          "{0} is not primary any more, epoch {1}: {2}",
          label(),
          Long.toString(epoch),
          reason);
      ended.end(0, reason);
      shipments.end();
      ended.close();
      follower.resume();
    }
  }

  /** The term of that epoch, once; null if another one has begun, or none is left. */
  private synchronized @Nullable PrimaryTerm takePrimary(long epoch) {
    return primary == null || primary.epoch() != epoch ? null : takePrimary();
  }

  private synchronized @Nullable PrimaryTerm takePrimary() {
    PrimaryTerm taken = primary;
    primary = null;
    return taken;
  }

  /**
   * Takes no more cargoes, stores and publishes what is applied, for so long as the options allow,
   * and leaves the cluster.
   */
  @Override
  public void close() {
    PrimaryTerm ended;
    Registration standing;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      standing = candidacy;
    }
    synchronized (takingOver) {
      ended = takePrimary();
    }
    shipments.refuse();
    if (ended != null) {
      ended.end(options.drainTimeout().toMillis(), "the transactor is shutting down");
    }
    shipments.end();
    if (standing != null) {
      standing.close();
    }
    watch.close();
    membership.close();
    server.close();
    if (ended != null) {
      ended.close();
    }
    follower.close();
    fullSnapshots.close();
    replica.close();
    LOG.log(
        Level.INFO,
        "{0} is closed at snapshot {1}",
        label(),
        Long.toString(snapshot().timestamp()));
  }
}
