package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.internal.Begun;
import io.drayage.internal.FatalErrors;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.Stage;
import io.drayage.receive.internal.CargoIntake;
import io.drayage.receive.internal.ReceiverLog;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shipment at its receiver, from its acceptance to its commit. Owns its quota, recording and
 * decoder, and passes the cargo to the commit.
 *
 * <pre>
 *               the cargo is whole             the commit is answered
 *   RECEIVING ----------------------> RECEIVED ----------------------> OVER
 *       |
 *       '--- aborted, or failed: by the decoder or the recording ---> DROPPED: no commit
 * </pre>
 *
 * A change of state is one compare-and-set. Only the thread that succeeds does the work of the
 * change, so that everything is released once. The transport calls {@link #onFrame} and {@link
 * #settled} on one thread at a time. All other methods are thread-safe.
 */
final class ShipmentSession<R extends ShipmentRecording>
    implements ShipmentHandler, CargoIntake, Reception.ReceptionListener {
  private enum State {
    RECEIVING,
    RECEIVED,
    DROPPED,
    OVER
  }

  /** A committer, with the recorder of the frames that it gets. */
  record Commits<R extends ShipmentRecording>(
      CargoCommitter<R> committer, ShipmentRecorder<R> recorder) {}

  /**
   * The common parts of all sessions of a receiver.
   *
   * @param pool decodes segments
   * @param maxCargoBytes raw bytes of the largest cargo
   * @param commits records and commits every shipment
   * @param commitThread runs {@link Commit}s, one after the other
   * @param metrics counts the shipments and the decoding
   * @param onReceived is called on any thread when the cargo of a session is whole, or has failed
   */
  record Shared<R extends ShipmentRecording>(
      CodecPool pool,
      long maxCargoBytes,
      Commits<R> commits,
      Executor commitThread,
      DrayageMetrics metrics,
      Consumer<ShipmentSession<?>> onReceived) {}

  private final Shared<R> shared;
  private final ShipmentHeader header;
  private final ShipmentReplies replies;
  private final ReceiverQuota.ShipmentQuota quota;
  private final SessionCargo cargo;
  private final DrayageMetrics metrics;
  private final ShipmentHandler decoder;
  private final StoreShare store;

  /** Null while the recording begins, which may fail the session already. */
  private volatile @Nullable R recording;

  private final AtomicReference<State> state = new AtomicReference<>(State.RECEIVING);
  private final LongAdder wireBytes = new LongAdder();
  private final long beganNs = System.nanoTime();

  /** Whether the worker may not know which frames arrived: it may send manifest and seal again. */
  private volatile boolean resumed;

  /**
   * Begins to receive. If this fails, the quota's resources are released.
   *
   * @param other receives another pipeline than segments; null for segments
   * @throws ShipmentException {@code REFUSED} if the shipment cannot be recorded
   */
  ShipmentSession(
      Shared<R> shared,
      ShipmentHeader header,
      AllowedCodecs.Pair codecs,
      @Nullable PipelineReceiver other,
      ShipmentReplies replies,
      ReceiverQuota.ShipmentQuota quota)
      throws ShipmentException {
    this.shared = shared;
    this.header = header;
    this.replies = replies;
    this.quota = quota;
    this.cargo = new SessionCargo(quota);
    this.metrics = shared.metrics;
    try (Begun begun = new Begun(quota::release)) {
      this.decoder =
          other == null
              ? new SegmentsDecoding(
                  header, codecs.serializer(), codecs.compressor(), shared.pool, this, metrics)
              : other.receive(
                  new Reception(
                      header,
                      codecs.serializer(),
                      codecs.compressor(),
                      shared.maxCargoBytes,
                      cargo::acquireAndFill,
                      metrics,
                      this));
      R begunRecording = shared.commits.recorder.begin(header, this::failed);
      this.store = shared.commits.recorder.share(header);
      this.recording = begunRecording;
      if (!isReceiving()) {
        begunRecording.discard();
      }
      quota.endsBy(this::failed, () -> !begunRecording.isBehind());
      begun.keep();
    }
  }

  /** Returns the progress of receiving. */
  ShipmentProgress progress() {
    Duration age = Duration.ofNanos(System.nanoTime() - beganNs);
    return new ShipmentProgress(
        header.transactionId(), header.worker(), wireBytes.sum(), age, false);
  }

  @Override
  public void onFrame(Lease frame) {
    if (admits(frame)) {
      decoder.onFrame(frame);
    }
  }

  /** Whether the shipment is still being received; if not, releases the frame. */
  private boolean admits(Lease frame) {
    State now = state.get();
    if (now == State.RECEIVING) {
      wireBytes.add(frame.remainingBytes());
      return true;
    }
    FrameType type = FrameHeader.type(frame.buffer());
    frame.release();
    if (now == State.RECEIVED
        && !(resumed && (type == FrameType.MANIFEST || type == FrameType.SEAL))) {
      // The commit continues, but this worker's further frames are refused.
      replies.failed(ShipmentHandler.behindTheCargo(type));
    }
    return false;
  }

  @Override
  public boolean decodesHere(ByteBuffer segment) {
    return decoder.decodesHere(segment);
  }

  @Override
  public void onSegment(Lease frame) {
    if (admits(frame)) {
      decoder.onSegment(frame);
    }
  }

  @Override
  public boolean isResumable() {
    return decoder.isResumable();
  }

  @Override
  public StoreShare store() {
    return store;
  }

  @Override
  public CompletableFuture<BitSet> settled() {
    resumed = true;
    return decoder.settled();
  }

  @Override
  public boolean onAborted(ShipmentException cause) {
    return end(cause) || state.get() == State.DROPPED;
  }

  @Override
  public void failed(ShipmentException cause) {
    FatalErrors.report(cause);
    if (!state.compareAndSet(State.RECEIVING, State.DROPPED)) {
      return;
    }
    ShipmentException answer = cause.withOutcome(ShipmentException.Outcome.NOT_APPLIED);
    try {
      dropped(cause);
      replies.failed(answer);
    } catch (OutOfMemoryError e) {
      // Nobody else would answer. So free the memory of the cargo, and answer again.
      cargo.release();
      FatalErrors.report(e);
      replies.failed(answer);
    }
  }

  /** Whether this call ended the shipment. A whole cargo is not ended: its commit decides. */
  private boolean end(ShipmentException cause) {
    if (!state.compareAndSet(State.RECEIVING, State.DROPPED)) {
      return false;
    }
    dropped(cause);
    return true;
  }

  /** Releases everything. Called once, by the thread that changed the state. */
  private void dropped(ShipmentException cause) {
    shared.onReceived.accept(this);
    cargo.release();
    metrics.addFailed(cause.fault());
    R dropped = recording;
    if (dropped != null) {
      dropped.discard();
    }
    boolean unused = decoder.onAborted(cause);
  }

  boolean isReceiving() {
    return state.get() == State.RECEIVING;
  }

  @Override
  public void dropMemory() {
    cargo.dropMemory();
  }

  // The decoder calls the following methods.

  @Override
  public long shipmentId() {
    return replies.shipmentId();
  }

  @Override
  public long maxCargoBytes() {
    return shared.maxCargoBytes;
  }

  /** Acquires memory until the shipment is over. */
  @Override
  public CargoSink open(Manifest manifest, Lease frame) throws ShipmentException {
    if (quota.isOnlyOfItsTransaction()) {
      // Not beside another shipment, which may take effect after this one's worker got NOT_APPLIED.
      shared.commits.committer.requireRoom(manifest);
    }
    CargoSink sink = cargo.open(manifest);
    recording().keep(frame.retain());
    return sink;
  }

  @Override
  public void decoded(Lease frame, int segments) {
    recording().keep(frame.retain());
    cargo.filled(segments);
  }

  @Override
  public void decoded(Lease frame) {
    recording().keep(frame.retain());
  }

  @Override
  public void received(ChangeCargo whole, Seal seal) {
    cargo.hold(whole);
    received(seal);
  }

  /** Notifies the worker, and passes the cargo to the commit. */
  @Override
  public void received(Seal seal) {
    if (!state.compareAndSet(State.RECEIVING, State.RECEIVED)) {
      return;
    }
    shared.onReceived.accept(this);
    try {
      recording().seal(seal);
    } catch (ShipmentException e) {
      noCommit(e);
      return;
    }
    metrics.shipments().count(Metric.HELD);
    replies.held(seal);
    try {
      shared.commitThread.execute(new Commit());
    } catch (RejectedExecutionException e) {
      noCommit(SegmentsDecoding.shuttingDown());
    }
  }

  private R recording() {
    return Objects.requireNonNull(recording);
  }

  private void noCommit(ShipmentException cause) {
    recording().discard();
    commitFailed(cause);
  }

  /** The commit, which waits for earlier commits. */
  final class Commit implements Runnable {
    private Commit() {}

    /** Commits the cargo, on the commit thread. */
    @Override
    public void run() {
      metrics.threads().join(Stage.COMMIT);
      try {
        // The failure is an argument of the answer.
        CompletableFuture<Long> unused =
            Objects.requireNonNull(
                    shared.commits.committer.commit(
                        new ReceivedCargo<>(header, cargo.whole(), recording())),
                    "the committer returned null, not a future")
                .whenComplete(ShipmentSession.this::onCommitted);
      } catch (Throwable e) {
        commitFailed(commitFailure(e));
      }
    }

    /** Ends the shipment without this commit. */
    void drop(ShipmentException cause) {
      noCommit(cause);
    }
  }

  private void onCommitted(@Nullable Long snapshotTimestamp, @Nullable Throwable error) {
    ShipmentException failure =
        snapshotTimestamp != null
            ? null
            : commitFailure(
                error == null
                    ? new IllegalStateException("the committer answered null, not a timestamp")
                    : error);
    try {
      answerCommit(snapshotTimestamp, failure);
    } catch (OutOfMemoryError e) {
      // The calling future would drop the error. So free the memory of the cargo, and answer again.
      cargo.release();
      FatalErrors.report(e);
      answerCommit(snapshotTimestamp, failure);
    }
  }

  private void answerCommit(@Nullable Long timestamp, @Nullable ShipmentException failure) {
    if (failure != null) {
      commitFailed(failure);
      return;
    }
    state.set(State.OVER);
    cargo.release();
    metrics.shipments().count(Metric.COMMITTED);
    replies.committed(Objects.requireNonNull(timestamp, "committed"));
  }

  /** Ends the shipment. The recording now belongs to the committer, which discards it. */
  private void commitFailed(ShipmentException cause) {
    FatalErrors.report(cause);
    state.set(State.OVER);
    cargo.release();
    metrics.addFailed(cause.fault());
    replies.failed(cause);
  }

  /** Returns the failure for the worker. After an unexpected exception the outcome is unknown. */
  private ShipmentException commitFailure(Throwable e) {
    Throwable cause = TransactionLedger.unwrapped(e);
    return cause instanceof ShipmentException named
        ? named
        : unexpected("the commit failed", cause).withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /** Logs an exception. After an OutOfMemoryError, drops the cargo first, to have memory. */
  private ShipmentException unexpected(String what, Throwable e) {
    if (e instanceof OutOfMemoryError) {
      dropMemory();
    }
    return ReceiverLog.unexpected(Fault.INTERNAL, what, header, e);
  }
}
