package io.drayage.baseline.grpc;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.internal.ShipmentWatch;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One shipment on the transactor's side. The first of its three calls opens the shipment, the
 * second brings the frames, and the third commits. An answer goes to the call that waits for it, or
 * is kept until a call asks for it.
 *
 * <p>The monitor guards the fields and the answers to the calls. No other code is called while it
 * is held. Frames and aborts reach the handler through the {@link HandlerGate}.
 */
final class InboundShipment implements ShipmentReplies {
  private final long id;
  private final Token token;
  private final ShipmentWatch watch;
  private final LongSupplier shareBytes;
  private final Consumer<InboundShipment> onEnd;
  private final HandlerGate gate = new HandlerGate(this::isOver);
  private final List<InboundCall> calls = new ArrayList<>();
  private int maxCalls = 1;
  private boolean sealMayComeEarly;
  private StoreShare store = StoreShare.UNKNOWN;

  /** The call with the first frame and the seal; it waits for HELD. */
  private @Nullable InboundCall leader;

  /** The call that waits for the commit, until it has its answer. */
  private @Nullable StreamObserver<Lease> committing;

  private boolean isHeld;
  private volatile @Nullable ByteBuffer outcome;

  /**
   * @param token lets calls join the leading one
   * @param shareBytes the bytes of frames that may wait to be decoded
   * @param onEnd called when the worker has its answer, or when no answer can be given
   */
  InboundShipment(
      long id,
      Token token,
      ShipmentWatch watch,
      LongSupplier shareBytes,
      Consumer<InboundShipment> onEnd) {
    this.id = id;
    this.token = token;
    this.watch = watch;
    this.shareBytes = shareBytes;
    this.onEnd = onEnd;
  }

  /**
   * Sets the handler that gets the frames.
   *
   * @param wanted the number of calls over which the worker would like to send the frames
   */
  void handleWith(ShipmentHandler accepted, int wanted) {
    // A pipeline that can resume over other connections can use several at once.
    boolean inAnyOrder = accepted.isResumable();
    synchronized (this) {
      maxCalls = inAnyOrder ? Math.max(1, Math.min(wanted, TransportOptions.MAX_CONNECTIONS)) : 1;
      sealMayComeEarly = inAnyOrder;
      store = accepted.store();
    }
    gate.open(accepted);
  }

  @Override
  public long shipmentId() {
    return id;
  }

  /** Returns the answer to the worker's request. */
  synchronized Accepted acceptance() {
    long bytes = shareBytes.getAsLong();
    return maxCalls == 1
        ? Accepted.ofSingleConnection(id, bytes, store)
        : new Accepted(id, bytes, token, 0, maxCalls, store);
  }

  /**
   * Adds a further call that brings frames.
   *
   * @return the window, which says how many messages to ask for
   * @throws ShipmentException {@link Fault#REFUSED} if the call may not join, or is one too many
   */
  synchronized InboundWindow join(InboundCall call, Join join) throws ShipmentException {
    if (!token.matches(join.token()) || join.purpose() != Join.Purpose.STRIPE) {
      throw new ShipmentException(
          Fault.REFUSED, format("the token is not that of shipment %d", id));
    }
    if (isHeld) {
      // The call is too late to have brought frames, and costs nothing.
      call.answer(ControlFrame.heartbeat(id));
      return new InboundWindow(shareBytes);
    }
    // The leading call may come later.
    int expected = calls.size() + (leader == null ? 1 : 0);
    if (isOver() || expected >= maxCalls) {
      throw new ShipmentException(
          Fault.REFUSED, format("shipment %d has %d calls of %d", id, expected, maxCalls));
    }
    return add(call);
  }

  /**
   * Adds the leading call.
   *
   * @return the window, which says how many messages to ask for
   * @throws ShipmentException {@link Fault#PROTOCOL_VIOLATION} if there was one before
   */
  InboundWindow lead(InboundCall call) throws ShipmentException {
    InboundWindow window;
    synchronized (this) {
      if (leader != null) {
        throw new ShipmentException(
            Fault.PROTOCOL_VIOLATION, format("shipment %d is being shipped already", id));
      }
      leader = call;
      window = add(call);
    }
    answer();
    return window;
  }

  private InboundWindow add(InboundCall call) {
    int parts = maxCalls;
    calls.add(call);
    watch.heard();
    return new InboundWindow(() -> shareBytes.getAsLong() / parts);
  }

  /** Adds the call that waits for the commit. */
  void commit(StreamObserver<Lease> call) throws ShipmentException {
    synchronized (this) {
      if (!isHeld || committing != null) {
        throw new ShipmentException(
            Fault.PROTOCOL_VIOLATION,
            isHeld
                ? format("shipment %d is being committed already", id)
                : format("shipment %d is not held yet", id));
      }
      committing = call;
    }
    answer();
  }

  /** Handles a message with a frame whose header was checked. Owns the message. */
  void onFrame(InboundCall from, Lease message) {
    ByteBuffer frame = message.buffer();
    int frameBytes = frame.remaining();
    FrameType type = FrameHeader.type(frame);
    boolean progress = type.needsCredit();
    synchronized (this) {
      heard(progress);
      if (type == FrameType.SEAL) {
        watch.sealed();
      }
    }
    from.onArrived(frameBytes);
    Lease lease = new Lease(frame, () -> release(from, message, frameBytes, progress));
    if (FrameHeader.shipmentId(frame) == id && progress) {
      gate.onFrame(lease, isLeader(from));
      return;
    }
    if (FrameHeader.shipmentId(frame) != id) {
      abort(
          violation(
              format("a frame of shipment %d in shipment %d", FrameHeader.shipmentId(frame), id)));
    } else if (type != FrameType.HEARTBEAT) {
      abort(violation("a worker ships no %s frames".formatted(type)));
    }
    lease.release();
  }

  private static ShipmentException violation(String what) {
    return new ShipmentException(Fault.PROTOCOL_VIOLATION, what);
  }

  private void release(InboundCall from, Lease message, int frameBytes, boolean progress) {
    message.release();
    synchronized (this) {
      heard(progress); // The transactor did not wait for the worker until now.
    }
    from.onReleased(frameBytes);
  }

  /** Notes that the worker was heard: timeouts begin now. The caller holds the monitor. */
  private void heard(boolean progress) {
    if (progress) {
      watch.progressed();
    } else {
      watch.heard();
    }
  }

  /** Whether the call leads and has no answer. Compares identity: a call equals only itself. */
  @SuppressWarnings("ReferenceEquality")
  private synchronized boolean isLeader(InboundCall call) {
    return leader == call && !isHeld;
  }

  private synchronized boolean isSealed() {
    return watch.isSealed();
  }

  /** Handles the end of a call by the worker. */
  void onShipped(InboundCall call) {
    if (!isLeader(call)) {
      call.answer(ControlFrame.heartbeat(id));
    } else if (!isSealed()) {
      abort(new ShipmentException(Fault.PEER_GONE, "the worker stopped before the seal"));
    }
  }

  /** Ends the shipment for both ends, unless it is over. */
  void abort(ShipmentException cause) {
    boolean dropped = gate.abort(cause);
    failed(
        cause.withOutcome(
            dropped ? ShipmentException.Outcome.NOT_APPLIED : ShipmentException.Outcome.UNKNOWN));
  }

  /** Aborts like {@link #abort} when the worker is gone and cannot be notified. */
  void peerGone(ShipmentException cause) {
    abort(cause);
    onEnd.accept(this);
  }

  /** Returns the reason to end now, because the worker was silent for too long; else null. */
  synchronized @Nullable ShipmentException overdue() {
    if (isHeld || isOver()) {
      return committing == null ? watch.silence() : null;
    }
    if (!gate.hasBegun()) { // Frames that came early wait for the first one.
      ShipmentException silence = watch.silence();
      return silence == null ? watch.stall() : silence;
    }
    boolean isWorkersTurn =
        (!watch.isSealed() || sealMayComeEarly)
            && calls.stream().noneMatch(InboundCall::hasUndecoded);
    if (!isWorkersTurn) {
      return null;
    }
    ShipmentException silence = watch.silenceWhileShipping();
    return silence == null ? watch.stall() : silence;
  }

  private boolean isOver() {
    return outcome != null;
  }

  @Override
  public synchronized void held(Seal seal) {
    InboundCall call = leader;
    if (!isOver() && !isHeld && call != null) {
      isHeld = true;
      watch.heard();
      call.answer(seal.toFrame(FrameType.HELD, id));
    }
  }

  @Override
  public void committed(long snapshotTimestamp) {
    finish(ControlFrame.committed(id, snapshotTimestamp), ControlFrame.heartbeat(id));
  }

  @Override
  public void failed(ShipmentException cause) {
    ByteBuffer frame = Failure.toFrame(FrameType.FAILED, id, cause);
    finish(frame, frame);
  }

  /**
   * Ends the shipment.
   *
   * @param frame answers the leading call, or the call that waits for the commit
   * @param further answers the other calls, unless they were ended before
   */
  private void finish(ByteBuffer frame, ByteBuffer further) {
    List<InboundCall> answered;
    synchronized (this) {
      if (isOver()) {
        return;
      }
      outcome = frame;
      watch.heard();
      answered = List.copyOf(calls);
    }
    answer();
    answered.forEach(call -> call.answer(further)); // Later frames are not needed.
  }

  /** Gives the outcome to the call that waits for it, if there are both an outcome and a call. */
  private void answer() {
    synchronized (this) {
      ByteBuffer frame = outcome;
      InboundCall leading = leader;
      StreamObserver<Lease> waiting = committing;
      if (frame != null && leading != null && !isHeld) {
        leading.answer(frame);
      } else if (frame != null && waiting != null) {
        committing = null;
        HaulService.answer(waiting, frame);
      } else {
        return;
      }
    }
    onEnd.accept(this);
  }
}
