package io.drayage.transactor;

import io.drayage.database.TransactionProgress;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceivedCargo;
import io.drayage.receive.ShipmentProgress;
import io.drayage.replica.Replica;
import io.drayage.segment.Manifest;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotRecorder;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.StoreSnapshot;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;

/** The parts of a transactor during a term as primary: receiver, recorder, commit pipeline. */
final class PrimaryTerm implements CommitPipeline.Listener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PrimaryTerm.class.getName());

  private final Takeover.Done begin;
  private final TransactorOptions options;
  private final Replica replica;
  private final SnapshotMaintenance maintenance;
  private final TermAcceptor shipments;
  private final WatchedStore store;
  private final Consumer<PublishedCommit> whenPublished;
  private final Consumer<EndedTransaction> whenEnded;
  private final Consumer<String> whenLost;
  private final LongAdder undone;
  private final PendingCommits pending;
  private final LogAppender log;
  private final SnapshotRecorder recorder;
  private final CommitMemory memory;
  private final LargeCommits largeCommits;
  private final CommitPipeline pipeline;
  private final FragmentCache fragments;
  private final OpenTransactions transactions;
  private final CargoReceiver receiver;

  PrimaryTerm(
      Takeover.Done begin,
      TransactorOptions options,
      Replica replica,
      SnapshotMaintenance maintenance,
      TermAcceptor shipments,
      WatchedStore store,
      Consumer<PublishedCommit> whenPublished,
      Consumer<EndedTransaction> whenEnded,
      DrayageMetrics metrics,
      LongAdder undone,
      Function<ShipmentHeader, StoreShare> ofStore,
      Consumer<String> whenLost) {
    this.begin = begin;
    this.options = options;
    this.replica = replica;
    this.maintenance = maintenance;
    this.shipments = shipments;
    this.store = store;
    this.whenPublished = whenPublished;
    this.whenEnded = whenEnded;
    this.whenLost = whenLost;
    this.undone = undone;
    this.pending = new PendingCommits(replica.snapshot());
    this.log =
        new LogAppender(
            replica.catalog(), begin.term().epoch(), begin.entry(), options.storeTimeout());
    this.recorder =
        new SnapshotRecorder(replica.catalog().store(), options.storeTimeout(), ofStore);
    this.memory =
        new CommitMemory(
            replica.store(),
            new DatabaseRoom(options.memory(), replica.store(), maintenance::neededSince),
            pending);
    this.largeCommits = new LargeCommits(memory, options.storeTimeout().toMillis(), metrics);
    this.pipeline =
        new CommitPipeline(
            memory,
            pending,
            log,
            new TermPublisher(begin.term(), whenLost),
            this,
            options.storeTimeout().toMillis());
    this.fragments = new FragmentCache(options.transactions().cacheBytes());
    this.transactions = newTransactions();
    this.receiver =
        CargoReceiver.recording(
                new TermCommitter(), recorder, options.limits(), options.codecThreads())
            .metrics(metrics)
            .build();
  }

  private OpenTransactions newTransactions() {
    TransactionRecords records = new TransactionRecords(replica.catalog().store());
    SnapshotLoader loader =
        new SnapshotLoader(
            replica.catalog().store(),
            options.codecThreads(),
            options.limits().maxCargoBytes(),
            options.limits().codecs());
    return new OpenTransactions(
        records,
        memory,
        replica.store(),
        options.transactions(),
        replica.database(),
        replica::checksum,
        new TransactionCommits(records, memory, fragments, loader),
        fragments,
        maintenance::cleanTransactionsLater);
  }

  /** Commits cargoes, and records cargoes that are fragments. */
  private final class TermCommitter implements CargoCommitter<CargoUpload> {
    @Override
    public void requireRoom(Manifest manifest) throws ShipmentException {
      memory.requireRoom(manifest);
    }

    @Override
    public CompletableFuture<Long> commit(ReceivedCargo<CargoUpload> cargo)
        throws ShipmentException {
      if (cargo.header().options().fragment() != null) {
        return transactions.fragments().prepare(cargo);
      }
      return LargeCommits.isLarge(
              cargo.header().options(), cargo.cargo(), cargo.recording().dataBytes())
          ? largeCommits.commit(cargo)
          : memory.commit(cargo);
    }
  }

  /** The open transactions of several workers. */
  List<TransactionProgress> transactions() {
    return transactions.progress();
  }

  /** Bytes of memory of the fragments of open transactions. */
  long fragmentBytes() {
    return fragments.bytes();
  }

  long epoch() {
    return begin.term().epoch();
  }

  /** Number of applied commits that are not in the log yet. */
  int pendingCommits() {
    return pending.unstoredCount();
  }

  /** The shipments that are received or wait. */
  List<ShipmentProgress> shipments() {
    return receiver.shipments();
  }

  /** Begins to accept shipments. */
  void start() {
    store.watch(this);
    new DaemonThreads("drayage-probe").newThread(this::probe).start();
    pipeline.start();
    transactions.start();
    shipments.begin(receiver, transactions);
    maintenance.ends(replica);
    maintenance.logged(begin.entry());
    maintenance.published(begin.entry().manifest().timestamp());
    maintenance.cleanLater();
  }

  private void probe() {
    Waits.orInterrupted(
        () -> {
          while (store.awaitProbe(this)) {
            store.probe();
          }
        });
  }

  /**
   * Accepts no more shipments, stores and publishes the applied commits within {@code drainMs}, and
   * ends the shipments in progress.
   */
  void end(long drainMs, String reason) {
    shipments.refuse();
    store.watch(null);
    pipeline.close(
        drainMs,
        new ShipmentException(
            Fault.CANCELLED, "this transactor is no longer the primary: " + reason));
    largeCommits.close();
    receiver.refuse(shipments.refusal());
  }

  /** Closes the parts. Must be called after {@link #end}. */
  @Override
  public void close() {
    receiver.close();
    transactions.close();
    recorder.close();
    pipeline.awaitLogThread(options.drainTimeout().toMillis());
  }

  @Override
  public void stored(StoreSnapshot snapshot, SnapshotEntry entry) {
    maintenance.logged(entry);
    if (isFullDue(entry)) {
      maintenance.writeLater(snapshot, entry, replica.origin(), epoch(), replica.store()::known);
    }
    replica.follow(entry); // Last, so that after a failure the replica is where memory is reset to.
  }

  /** Whether a full snapshot is due after an entry. A full snapshot ends with a whole object. */
  private boolean isFullDue(SnapshotEntry entry) {
    long every = options.fullSnapshotEvery();
    return entry.endsObject() && entry.last() / every > (entry.first() - 1) / every;
  }

  @Override
  public void published(long timestamp) {
    maintenance.published(timestamp);
  }

  @Override
  public void committed(PublishedCommit commit) {
    tell(whenPublished, commit);
  }

  @Override
  public void ended(EndedTransaction ended) {
    tell(whenEnded, ended);
  }

  private static <T> void tell(Consumer<T> listener, T news) {
    try {
      listener.accept(news);
    } catch (Throwable e) {
      // The commit is published nevertheless.
      LOG.log(Level.WARNING, "a listener failed", e);
      FatalErrors.report(e);
    }
  }

  @Override
  public void undone(int commits) {
    undone.add(commits);
  }

  @Override
  public void wrong(long timestamp) {
    replica.distrust(timestamp);
  }

  @Override
  public void lost(String reason) {
    whenLost.accept(reason);
  }
}
