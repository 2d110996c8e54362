package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.CargoReceiver;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotRecorder;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.ShipmentAcceptor;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** All that a transactor has while it is primary, and at no other time. */
final class PrimaryTerm implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PrimaryTerm.class.getName());

  private final Takeover.Done begin;
  private final TransactorOptions options;
  private final Replica replica;
  private final FullSnapshotWriter fullSnapshots;
  private final Consumer<PublishedCommit> whenPublished;
  private final CommitLogWriter log;
  private final SnapshotRecorder recorder;
  private final CommitPipeline pipeline;
  private final CargoReceiver receiver;

  PrimaryTerm(
      Takeover.Done begin,
      TransactorOptions options,
      Replica replica,
      ObjectStore objects,
      FullSnapshotWriter fullSnapshots,
      Consumer<PublishedCommit> whenPublished,
      DrayageMetrics metrics,
      Consumer<String> whenLost) {
    this.begin = begin;
    this.options = options;
    this.replica = replica;
    this.fullSnapshots = fullSnapshots;
    this.whenPublished = whenPublished;
    this.log =
        new CommitLogWriter(
            replica.catalog(), begin.term().epoch(), begin.entry(), options.storeTimeout());
    this.recorder = new SnapshotRecorder(objects, options.storeTimeout());
    this.pipeline =
        new CommitPipeline(
            replica.store(),
            log,
            new TermPublisher(begin.term(), whenLost),
            new Listener(whenLost),
            options.storeTimeout().toMillis());
    this.receiver =
        CargoReceiver.builder(pipeline, options.limits(), options.codecThreads())
            .metrics(metrics)
            .recorder(new HeaderRecorder(recorder))
            .build();
  }

  long epoch() {
    return begin.term().epoch();
  }

  ShipmentAcceptor receiver() {
    return receiver;
  }

  void start() {
    pipeline.start();
  }

  /** Takes no more commits; those that are applied are stored and published for so long. */
  void end(long drainMs, String reason) {
    pipeline.close(
        drainMs,
        new ShipmentException(
            Fault.CANCELLED, "this transactor is not the primary any more: " + reason));
  }

  /** To be called when it has ended. */
  @Override
  public void close() {
    receiver.close();
    recorder.close();
    pipeline.awaitLogThread(options.drainTimeout().toMillis());
  }

  private final class Listener implements CommitPipeline.Listener {
    private final Consumer<String> whenLost;

    Listener(Consumer<String> whenLost) {
      this.whenLost = whenLost;
    }

    @Override
    public void stored(StoreSnapshot snapshot) {
      SnapshotEntry entry = log.last();
      replica.follow(entry);
      if (snapshot.timestamp() % options.fullSnapshotEvery() == 0) {
        fullSnapshots.writeLater(snapshot, entry, epoch(), replica.store()::transactions);
      }
    }

    @Override
    public void published(PublishedCommit commit) {
      try {
        whenPublished.accept(commit);
      } catch (RuntimeException e) {
        // It is published all the same.
        LOG.log(Level.WARNING, "a listener failed", e);
      }
    }

    @Override
    public void lost(String reason) {
      whenLost.accept(reason);
    }
  }
}
