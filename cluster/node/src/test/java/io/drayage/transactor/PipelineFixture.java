package io.drayage.transactor;

import io.drayage.cargo.ColumnType;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Term;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotRecorder;
import io.drayage.store.MemoryLimit;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** The pipeline of one term over a new database. A test provides the queue. */
abstract class PipelineFixture {
  static final long DATABASE_BYTES = 1 << 20;
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  final List<String> lost = new CopyOnWriteArrayList<>();
  final List<Long> wrong = new CopyOnWriteArrayList<>();
  final AtomicInteger undone = new AtomicInteger();
  private final List<AutoCloseable> opened = new ArrayList<>();
  Replica replica;
  LogAppender log;
  CommitMemory memory;
  CommitPipeline pipeline;
  SnapshotRecorder recorder;

  /** Takes over; the pipeline is not started. */
  final void takeOver(ObjectStore objects, Term term, Function<StoreSnapshot, PendingCommits> queue)
      throws Exception {
    Workload.makeDatabase(objects);
    replica = open(Replica.open(objects, 2, 1 << 28, 1 << 24, ReceiverLimits.DATA_ONLY));
    Takeover.Done begin = new Takeover(replica, term, "a test").run();
    log = new LogAppender(replica.catalog(), begin.term().epoch(), begin.entry(), TIMEOUT);
    recorder = open(new SnapshotRecorder(objects, TIMEOUT));
    PendingCommits pending = queue.apply(replica.snapshot());
    memory =
        new CommitMemory(
            replica.store(),
            new DatabaseRoom(
                new MemoryLimit(DATABASE_BYTES, Long.MAX_VALUE),
                replica.store(),
                () -> Long.MAX_VALUE),
            pending);
    pipeline =
        open(
            new CommitPipeline(
                memory,
                pending,
                log,
                new TermPublisher(begin.term(), lost::add),
                new Listener(),
                TIMEOUT.toMillis()));
  }

  /** Starts the pipeline, and a receiver for it. Returns a sender to that receiver. */
  final CargoSender startPipeline() throws Exception {
    LoopbackTransport transport = new LoopbackTransport();
    CodecPool pool = open(new CodecPool(2, "encode"));
    CargoReceiver receiver =
        open(CargoReceiver.recording(committer(), recorder, TestCluster.LIMITS, 2).build());
    TransportServer server =
        open(
            transport.listen(
                new InetSocketAddress(0),
                receiver,
                TransportOptions.builder().drainTimeout(Duration.ZERO).build()));
    CargoSender sender =
        open(
            new SegmentsSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "w1"));
    pipeline.start();
    return sender;
  }

  /** The committer of the receiver. */
  CargoCommitter<CargoUpload> committer() {
    return memory;
  }

  /** Closes a resource after the test, before the resources that were opened earlier. */
  final <T extends AutoCloseable> T open(T resource) {
    opened.add(0, resource);
    return resource;
  }

  @AfterEach
  final void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  /** Called when the pipeline has stored a snapshot. */
  void stored(SnapshotEntry entry) {}

  private final class Listener implements CommitPipeline.Listener {
    @Override
    public void stored(StoreSnapshot snapshot, SnapshotEntry entry) {
      PipelineFixture.this.stored(entry);
    }

    @Override
    public void published(long timestamp) {}

    @Override
    public void committed(PublishedCommit commit) {}

    @Override
    public void ended(EndedTransaction ended) {}

    @Override
    public void undone(int commits) {
      undone.addAndGet(commits);
    }

    @Override
    public void wrong(long timestamp) {
      wrong.add(timestamp);
    }

    @Override
    public void lost(String reason) {
      lost.add(reason);
    }
  }

  /** The manifest of a cargo that inserts a number of longs. */
  static Manifest inserting(UUID transactionId, long longs) {
    Part part =
        new Part(
            0,
            "t",
            PartKind.INSERTED_VALUES,
            "a",
            ColumnType.LONG,
            false,
            longs,
            longs * Long.BYTES);
    return new Manifest(
        transactionId, 0, List.of(), List.of(), Set.of(), List.of("t"), List.of(part), List.of());
  }
}
