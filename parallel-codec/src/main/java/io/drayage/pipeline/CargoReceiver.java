package io.drayage.pipeline;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.pipeline.segments.SegmentsReceiver;
import io.drayage.receive.PipelineReceiver;
import io.drayage.receive.PipelineReceivers;
import io.drayage.receive.Reception;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.FrameStore;
import io.drayage.segment.Manifest;
import io.drayage.segment.StagingSink;
import io.drayage.stage.CargoStage;
import io.drayage.stage.StagedCargo;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The transactor's end of both pipelines: takes shipments from any number of transports, receives
 * them side by side, and hands the whole cargoes to the database one after the other.
 *
 * <p>Thread-safe. Owns its codec pool and the commit thread, and ends them when it is closed; the
 * transports in front of it are closed first.
 */
public final class CargoReceiver implements ShipmentAcceptor, AutoCloseable {
  private static final long CLOSE_TIMEOUT_S = 10;

  private final CargoCommitter committer;
  private final ReceiverLimits limits;
  private final CodecPool pool;
  private final DrayageMetrics metrics;
  private final ByteBudget receivingBytes;
  private final @Nullable CargoStage stage;
  private final @Nullable ShipmentRecorder recorder;
  private final PipelineReceivers pipelines;
  private final ByteBudget stagingBytes;
  private final UsableCodecs usable;
  private final AtomicInteger shipments = new AtomicInteger();
  private final WaitingLine forShipments = new WaitingLine(System::nanoTime);
  private final WaitingLine forBytes = new WaitingLine(System::nanoTime);
  private final ExecutorService commitThread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "commit");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * A receiver that puts every cargo together in memory.
   *
   * @param codecThreads how many threads decode segments
   */
  public CargoReceiver(CargoCommitter committer, ReceiverLimits limits, int codecThreads) {
    this(committer, limits, codecThreads, null);
  }

  /**
   * A receiver.
   *
   * @param codecThreads how many threads decode segments
   * @param stage takes the cargoes in segments that exceed {@link ReceiverLimits#maxCargoBytes}, to
   *     be committed by {@link CargoCommitter#commitStaged}; null to refuse them. Stays the
   *     caller's
   */
  public CargoReceiver(
      CargoCommitter committer,
      ReceiverLimits limits,
      int codecThreads,
      @Nullable CargoStage stage) {
    this(committer, limits, codecThreads, stage, new DrayageMetrics());
  }

  /** The same, counting in {@code metrics}. */
  public CargoReceiver(
      CargoCommitter committer,
      ReceiverLimits limits,
      int codecThreads,
      @Nullable CargoStage stage,
      DrayageMetrics metrics) {
    this(committer, limits, codecThreads, stage, metrics, null);
  }

  /** The same with a recorder. */
  public CargoReceiver(
      CargoCommitter committer,
      ReceiverLimits limits,
      int codecThreads,
      @Nullable CargoStage stage,
      DrayageMetrics metrics,
      @Nullable ShipmentRecorder recorder) {
    this(committer, limits, codecThreads, stage, metrics, recorder, PipelineReceivers.installed());
  }

  /**
   * The same.
   *
   * @param pipelines what is received besides segments
   * @param recorder keeps the frames of every shipment, for {@link
   *     CargoCommitter#commit(ChangeCargo, ShipmentRecording)}; null to keep none. Stays the
   *     caller's
   */
  public CargoReceiver(
      CargoCommitter committer,
      ReceiverLimits limits,
      int codecThreads,
      @Nullable CargoStage stage,
      DrayageMetrics metrics,
      @Nullable ShipmentRecorder recorder,
      PipelineReceivers pipelines) {
    this.stage = stage;
    this.recorder = recorder;
    this.pipelines = pipelines;
    this.stagingBytes = new ByteBudget(stage == null ? 1 : stage.maxBytes());
    this.committer = committer;
    this.limits = limits;
    this.pool = new CodecPool(codecThreads, "decode");
    this.metrics = metrics;
    metrics.decode().setThreads(codecThreads);
    this.receivingBytes = new ByteBudget(limits.maxReceivingBytes());
    this.usable = UsableCodecs.of(limits.serializers());
  }

  /** What this receiver counts; also after it was closed. */
  public DrayageMetrics metrics() {
    return metrics;
  }

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    try {
      ShipmentHandler handler = handlerOf(header, replies);
      metrics.shipments().addOpened();
      return handler;
    } catch (ShipmentException e) {
      metrics.shipments().addFailed(e.fault());
      throw e;
    }
  }

  private ShipmentHandler handlerOf(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    Serializer serializer;
    Compressor compressor;
    try {
      serializer = Serializers.ofId(header.serializerId());
      compressor = Compressors.ofId(header.compressorId());
      requireAllowed(serializer);
      usable.require(serializer);
      usable.require(compressor);
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw new ShipmentException(Fault.REFUSED, String.valueOf(e.getMessage()), e);
    }
    PipelineReceiver other =
        header.pipeline() == ShipmentHeader.Pipeline.SEGMENTS
            ? null
            : pipelines.of(header.pipeline());
    Receiving receiving = new Receiving(header, replies);
    receiving.enter();
    receiving.record();
    ShipmentHandler handler =
        other == null
            ? new SegmentsReceiver(
                header, serializer, compressor, pool, receiving, receiving, metrics)
            : other.receive(
                new Reception(
                    header,
                    serializer,
                    compressor,
                    limits.maxCargoBytes(),
                    bytes -> receiving.admit(bytes, receivingBytes),
                    receiving,
                    metrics,
                    cargo -> commit(cargo, receiving)));
    return receiving.guard(handler);
  }

  private void requireAllowed(Serializer serializer) throws ShipmentException {
    if (!limits.serializers().contains(serializer.name())) {
      throw new ShipmentException(
          Fault.REFUSED,
          "serializer '%s' is not allowed here, only %s: use one of them, or have the transactor allow it (ReceiverLimits.allowing)"
              .formatted(serializer.name(), new TreeSet<>(limits.serializers())));
    }
  }

  /** The shipments that are being received or wait for their commit. */
  public int shipmentsUnderWay() {
    return shipments.get();
  }

  /** Raw bytes of the cargoes that count against {@link ReceiverLimits#maxReceivingBytes}. */
  public long receivingBytes() {
    return receivingBytes.usedBytes();
  }

  private void commit(ChangeCargo cargo, Receiving receiving) {
    commitLater(() -> commitNow(cargo, receiving), receiving, receiving::discardRecording);
  }

  private CompletableFuture<Long> commitNow(ChangeCargo cargo, Receiving receiving)
      throws ShipmentException {
    ShipmentRecording recording = receiving.takeRecording();
    return recording == null
        ? CompletableFuture.completedFuture(committer.commit(cargo))
        : committer.commit(cargo, recording);
  }

  private interface Commit {
    CompletableFuture<Long> now() throws ShipmentException;
  }

  /** Runs {@code undo} if there was no commit. */
  private void commitLater(Commit commit, ShipmentReplies replies, Runnable undo) {
    try {
      commitThread.execute(() -> commitNow(commit, replies, undo));
    } catch (RejectedExecutionException e) {
      undo.run();
      replies.failed(new ShipmentException(Fault.CANCELLED, "the transactor is shutting down", e));
    }
  }

  private void commitNow(Commit commit, ShipmentReplies replies, Runnable undo) {
    metrics.threads().join(Stage.COMMIT);
    try {
      CompletableFuture<Long> outcome = commit.now();
      // Its failure is an argument of the answer.
      CompletableFuture<Long> unused =
          outcome.whenComplete((snapshot, error) -> answer(snapshot, error, replies));
    } catch (ShipmentException | RuntimeException | Error e) {
      undo.run();
      replies.failed(commitFailure(e));
    }
  }

  private static void answer(
      @Nullable Long snapshot, @Nullable Throwable error, ShipmentReplies replies) {
    if (snapshot != null) {
      replies.committed(snapshot);
    } else {
      Throwable cause = error == null ? new IllegalStateException("no timestamp") : error;
      replies.failed(commitFailure(cause));
    }
  }

  private static ShipmentException commitFailure(Throwable e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    return cause instanceof ShipmentException named
        ? named
        : new ShipmentException(Fault.INTERNAL, "the commit failed: " + cause, cause);
  }

  /**
   * Lets commits that have begun end, and ends all threads. What a committer answers later is its
   * own.
   */
  @Override
  public void close() {
    commitThread.shutdown();
    pool.close();
    try {
      if (!commitThread.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
        commitThread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What one shipment holds of the receiver; given back once, however it ends. */
  private final class Receiving implements ShipmentReplies, CargoIntake {
    private final ShipmentHeader header;
    private final ShipmentReplies replies;
    private long admittedBytes;
    private long stagedBytes;
    private boolean left;
    private volatile boolean heldWhole;

    /** Emptied by whoever has to end it: the commit that takes it over, or a failure. */
    private final AtomicReference<@Nullable ShipmentRecording> recording = new AtomicReference<>();

    private final SharedFrames sharedFrames = new SharedFrames();
    private volatile @Nullable ShipmentHandler handler;

    Receiving(ShipmentHeader header, ShipmentReplies replies) {
      this.header = header;
      this.replies = replies;
    }

    void enter() throws ShipmentException {
      if (!forShipments.admits(header.transactionId(), this::tryEnter)) {
        throw new ShipmentException(
            Fault.BUSY,
            "%,d shipments are under way already, the limit is %,d"
                .formatted(shipments.get(), limits.maxShipments()));
      }
    }

    private boolean tryEnter() {
      if (shipments.incrementAndGet() <= limits.maxShipments()) {
        return true;
      }
      shipments.decrementAndGet();
      return false;
    }

    /** To be called before frames come. */
    void record() throws ShipmentException {
      if (recorder != null) {
        boolean begun = false;
        try {
          recording.set(recorder.begin(header, this::recordingFailed));
          begun = true;
        } finally {
          if (!begun) {
            leave();
          }
        }
      }
    }

    /** If the cargo is whole, the commit will find out. */
    private void recordingFailed(ShipmentException cause) {
      if (!heldWhole && leave()) {
        metrics.shipments().addFailed(cause.fault());
        discardRecording();
        ShipmentHandler receiver = handler;
        if (receiver != null) {
          receiver.onAborted(cause);
        }
        replies.failed(cause);
      }
    }

    @Nullable ShipmentRecording takeRecording() {
      return recording.getAndSet(null);
    }

    void discardRecording() {
      ShipmentRecording dropped = takeRecording();
      if (dropped != null) {
        dropped.discard();
      }
    }

    /** Whether this call ended it. */
    private synchronized boolean leave() {
      boolean first = !left;
      if (first) {
        left = true;
        shipments.decrementAndGet();
        receivingBytes.release(admittedBytes);
        stagingBytes.release(stagedBytes);
      }
      return first;
    }

    @Override
    public long maxCargoBytes() {
      return Math.max(limits.maxCargoBytes(), stage == null ? 0 : stage.maxBytes());
    }

    @Override
    public CargoSink open(Manifest manifest, ByteBuffer frame) throws ShipmentException {
      long rawBytes = manifest.rawBytes();
      if (stage == null || rawBytes <= limits.maxCargoBytes()) {
        admit(rawBytes, receivingBytes);
        return new CargoAssembler(manifest);
      }
      admit(rawBytes, stagingBytes);
      FrameStore store = stage.begin(manifest);
      boolean opened = false;
      try {
        StagingSink sink = new StagingSink(manifest, store);
        store.append(frame);
        opened = true;
        return sink;
      } finally {
        if (!opened) {
          store.abort();
        }
      }
    }

    private synchronized void admit(long rawBytes, ByteBudget budget) throws ShipmentException {
      if (left || rawBytes > budget.limitBytes() || !takes(rawBytes, budget)) {
        throw new ShipmentException(
            Fault.BUSY,
            "no room for %,d bytes now: %,d of %,d are taken by other cargoes"
                .formatted(rawBytes, budget.usedBytes(), budget.limitBytes()));
      }
      if (budget == stagingBytes) {
        stagedBytes += rawBytes;
      } else {
        admittedBytes += rawBytes;
      }
    }

    private boolean takes(long rawBytes, ByteBudget budget) {
      return budget == receivingBytes
          ? forBytes.admits(header.transactionId(), () -> budget.tryAcquire(rawBytes))
          : budget.tryAcquire(rawBytes);
    }

    @Override
    public void whenHeld(CargoSink sink, Seal seal) {
      if (sink instanceof StagingSink staging) {
        commitLater(() -> commitStaged(staging, seal), this, staging::abort);
      } else {
        commit(((CargoAssembler) sink).cargo(), this);
      }
    }

    /** The stage has the frames already. */
    private CompletableFuture<Long> commitStaged(StagingSink sink, Seal seal)
        throws ShipmentException {
      discardRecording();
      return CompletableFuture.completedFuture(
          committer.commitStaged(
              new StagedCargo(
                  sink.manifest(),
                  sink.digest(),
                  seal,
                  header.serializerId(),
                  header.compressorId(),
                  sink.finish(seal))));
    }

    private void onFrame(Lease frame, ShipmentHandler receiver) {
      ShipmentRecording recorded = recording.get();
      if (recorded == null) {
        receiver.onFrame(frame);
      } else {
        SharedFrames.Pair pair = sharedFrames.share(frame);
        recorded.onFrame(pair.first());
        receiver.onFrame(pair.second());
      }
    }

    /** The handler, which also leaves when the transport aborts it before the cargo was whole. */
    ShipmentHandler guard(ShipmentHandler receiver) {
      handler = receiver;
      return new ShipmentHandler() {
        @Override
        public void onFrame(Lease frame) {
          Receiving.this.onFrame(frame, receiver);
        }

        @Override
        public void onAborted(ShipmentException cause) {
          if (!heldWhole && leave()) {
            metrics.shipments().addFailed(cause.fault());
            discardRecording();
          }
          receiver.onAborted(cause);
        }

        @Override
        public boolean isResumable() {
          return receiver.isResumable();
        }

        @Override
        public CompletableFuture<BitSet> settled() {
          return sharedFrames.whenGivenBack(receiver.settled());
        }
      };
    }

    @Override
    public long shipmentId() {
      return replies.shipmentId();
    }

    @Override
    public void held(Seal seal) {
      heldWhole = true;
      metrics.shipments().addHeld();
      ShipmentRecording whole = recording.get();
      if (whole != null) {
        whole.seal(seal);
      }
      replies.held(seal);
    }

    @Override
    public void committed(long snapshotTimestamp) {
      if (leave()) {
        metrics.shipments().addCommitted();
      }
      replies.committed(snapshotTimestamp);
    }

    @Override
    public void failed(ShipmentException cause) {
      if (leave()) {
        metrics.shipments().addFailed(cause.fault());
      }
      discardRecording();
      replies.failed(cause);
    }
  }
}
