package io.drayage.baseline.grpc;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.ShipmentWatch;
import io.drayage.transport.TransportOptions;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One shipment on the transactor's side, over its three calls: opened by one, filled by the second,
 * committed in the third. An answer goes to the call that is waiting for one, or is kept until one
 * asks.
 *
 * <p>Two locks. {@code handlerLock} lets one thread at a time into the handler: calls, the timer
 * and the closing server all have something to tell it. The monitor guards the fields and the
 * answers to the calls, and nothing else is called while it is held.
 */
final class InboundShipment implements ShipmentReplies {
  private final long id;
  private final Token token;
  private final LongSupplier shareBytes;
  private final Consumer<InboundShipment> onEnd;
  private final Object handlerLock = new Object();

  /** Guarded by {@link #handlerLock}; null until accepted and when no longer to be called. */
  private @Nullable ShipmentHandler handler;

  /** Guarded by {@link #handlerLock}. */
  private @Nullable ShipmentException abortCause;

  /** Whether the leading call has brought the first frame. Set under {@link #handlerLock}. */
  private volatile boolean begun;

  /** Guarded by {@link #handlerLock}: frames that overtook it. The windows bound them. */
  private final List<Lease> early = new ArrayList<>();

  private final List<InboundCall> calls = new ArrayList<>();
  private int maxCalls = 1;

  /** The leading one, until it has its answer. */
  private @Nullable InboundCall shipping;

  private @Nullable StreamObserver<Lease> committing;
  private boolean sealMayComeEarly;
  private boolean hasLed;
  private boolean isHeld;
  private @Nullable ByteBuffer outcome;
  private final ShipmentWatch watch;

  /**
   * @param token lets calls join the leading one
   * @param shareBytes the bytes of frames that may wait to be decoded
   * @param onEnd called once, when the worker has its answer or none can be given
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
   * Tells who gets the frames; whom it tells at once if the server was closed meanwhile.
   *
   * @param wanted over how many calls they may come
   */
  void handleWith(ShipmentHandler accepted, int wanted) {
    boolean inAnyOrder = accepted.isResumable();
    synchronized (this) {
      maxCalls = Math.max(1, Math.min(wanted, TransportOptions.MAX_CONNECTIONS));
      sealMayComeEarly = inAnyOrder;
    }
    synchronized (handlerLock) {
      if (abortCause == null) {
        handler = accepted;
      } else {
        accepted.onAborted(abortCause);
      }
    }
  }

  @Override
  public long shipmentId() {
    return id;
  }

  /** What the worker is told. */
  synchronized Accepted acceptance() {
    long bytes = shareBytes.getAsLong();
    return maxCalls == 1
        ? Accepted.ofSingleConnection(id, bytes)
        : new Accepted(id, bytes, token, 0, maxCalls);
  }

  private InboundCall newCall(ServerCallStreamObserver<Lease> call) {
    int parts = maxCalls;
    InboundCall inbound =
        new InboundCall(call, new InboundWindow(() -> shareBytes.getAsLong() / parts));
    calls.add(inbound);
    return inbound;
  }

  /**
   * A further call has come that brings frames.
   *
   * @throws ShipmentException {@link Fault#REFUSED} if it may not, or if there are enough
   */
  InboundCall join(ServerCallStreamObserver<Lease> call, Join join) throws ShipmentException {
    InboundCall further;
    synchronized (this) {
      if (!token.matches(join.token()) || join.purpose() != Join.Purpose.STRIPE) {
        throw new ShipmentException(
            Fault.REFUSED, "the token is not that of shipment %d".formatted(id));
      }
      if (isHeld) {
        // It comes too late to have brought anything, and costs nothing.
        InboundCall late = new InboundCall(call, new InboundWindow(shareBytes));
        late.answer(ControlFrame.heartbeat(id));
        return late;
      }
      // The leading one may come later.
      int expected = calls.size() + (hasLed ? 0 : 1);
      if (outcome != null || expected >= maxCalls) {
        throw new ShipmentException(
            Fault.REFUSED, "shipment %d has %d calls of %d".formatted(id, expected, maxCalls));
      }
      further = newCall(call);
      watch.heard();
    }
    further.open();
    return further;
  }

  /**
   * The call that brings the frames has come.
   *
   * @throws ShipmentException {@link Fault#PROTOCOL_VIOLATION} if there was one before
   */
  InboundCall ship(ServerCallStreamObserver<Lease> call) throws ShipmentException {
    InboundCall leading;
    synchronized (this) {
      if (shipping != null || isHeld) {
        throw new ShipmentException(
            Fault.PROTOCOL_VIOLATION, "shipment %d is being shipped already".formatted(id));
      }
      hasLed = true;
      leading = newCall(call);
      shipping = leading;
      watch.heard();
    }
    answer();
    leading.open();
    return leading;
  }

  /** The call that waits for the commit has come. */
  void commit(ServerCallStreamObserver<Lease> call) throws ShipmentException {
    synchronized (this) {
      if (!isHeld || committing != null) {
        throw new ShipmentException(
            Fault.PROTOCOL_VIOLATION,
            isHeld
                ? "shipment %d is being committed already".formatted(id)
                : "shipment %d is not held yet".formatted(id));
      }
      committing = call;
    }
    answer();
  }

  /** A message with a frame has come, header checked. Owns it. */
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
    from.request(from.window().onArrived(frameBytes));
    Lease lease = new Lease(frame, () -> release(from, message, frameBytes, progress));
    if (FrameHeader.shipmentId(frame) != id) {
      abort(
          new ShipmentException(
              Fault.PROTOCOL_VIOLATION,
              "a frame of shipment %d in shipment %d"
                  .formatted(FrameHeader.shipmentId(frame), id)));
      lease.close();
    } else if (progress) {
      handle(lease, isLeader(from));
    } else {
      lease.close();
      if (type != FrameType.HEARTBEAT) {
        abort(
            new ShipmentException(
                Fault.PROTOCOL_VIOLATION, "a worker ships no %s frames".formatted(type)));
      }
    }
  }

  /** The worker need not be waited for before this moment. Holds the monitor. */
  private void heard(boolean progress) {
    if (progress) {
      watch.progressed();
    } else {
      watch.heard();
    }
  }

  /** Identity: a call has none but its own. */
  @SuppressWarnings("ReferenceEquality")
  private synchronized boolean isLeader(InboundCall call) {
    return shipping == call;
  }

  private void handle(Lease frame, boolean leads) {
    synchronized (handlerLock) {
      ShipmentHandler target = handler;
      if (target == null || isOver()) {
        frame.close();
      } else if (begun || leads) {
        target.onFrame(frame);
        begun = true;
        early.forEach(target::onFrame);
        early.clear();
      } else {
        early.add(frame);
      }
    }
  }

  private void release(InboundCall from, Lease message, int frameBytes, boolean progress) {
    message.close();
    synchronized (this) {
      heard(progress); // The worker was not waited for until now.
    }
    from.request(from.window().onReleased(frameBytes));
  }

  /** The worker has ended a call. */
  void onShipped(InboundCall call) {
    if (!isLeader(call)) {
      call.answer(ControlFrame.heartbeat(id));
      return;
    }
    boolean whole;
    synchronized (this) {
      whole = watch.isSealed();
    }
    if (!whole) {
      abort(new ShipmentException(Fault.PEER_GONE, "the worker stopped before the seal"));
    }
  }

  /** Ends the shipment for both ends, unless it is over. */
  void abort(ShipmentException cause) {
    ShipmentHandler aborted;
    synchronized (handlerLock) {
      aborted = isOver() ? null : handler;
      handler = null;
      abortCause = cause;
      early.forEach(Lease::close);
      early.clear();
      if (aborted != null) {
        aborted.onAborted(cause);
      }
    }
    fail(cause);
  }

  /** As {@link #abort}, when there is nobody who could be told. */
  void peerGone(ShipmentException cause) {
    abort(cause);
    onEnd.accept(this);
  }

  /** Why it must end now, because the worker has let it wait for too long; null if it need not. */
  synchronized @Nullable ShipmentException overdue() {
    if (!isWorkersTurn()) {
      return null;
    }
    if (isHeld || outcome != null) {
      return watch.silence();
    }
    ShipmentException silence = begun ? watch.silenceWhileShipping() : watch.silence();
    return silence == null ? watch.stall() : silence;
  }

  private boolean isWorkersTurn() {
    if (isHeld || outcome != null) {
      return committing == null;
    }
    if (!begun) {
      return true; // What is here already waits for the first frame.
    }
    return (!watch.isSealed() || sealMayComeEarly)
        && calls.stream().allMatch(call -> call.window().heldBytes() == 0);
  }

  private synchronized boolean isOver() {
    return outcome != null;
  }

  @Override
  public void held(Seal seal) {
    synchronized (this) {
      InboundCall call = shipping;
      if (outcome != null || isHeld || call == null) {
        return;
      }
      isHeld = true;
      shipping = null;
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
    fail(cause);
  }

  private void fail(ShipmentException cause) {
    finish(
        Failure.toFrame(FrameType.FAILED, id, cause), Failure.toFrame(FrameType.FAILED, id, cause));
  }

  /**
   * Ends it.
   *
   * @param frame answers the leading call, or the one that waits for the commit
   * @param further answers the other calls, unless they were ended before
   */
  private void finish(ByteBuffer frame, ByteBuffer further) {
    synchronized (this) {
      if (outcome != null) {
        return;
      }
      outcome = frame;
      watch.heard();
    }
    answer();
    endFurtherCalls(further);
  }

  /** What they still bring is not wanted. */
  private void endFurtherCalls(ByteBuffer frame) {
    List<InboundCall> further;
    synchronized (this) {
      further = new ArrayList<>(calls);
      InboundCall leader = shipping;
      if (leader != null) {
        further.remove(leader);
      }
    }
    further.forEach(call -> call.answer(frame.duplicate().order(frame.order())));
  }

  /** Gives the outcome to the call that waits for it, if there are both. */
  private void answer() {
    synchronized (this) {
      InboundCall leader = shipping;
      StreamObserver<Lease> waiting = committing;
      if (outcome == null || (leader == null && waiting == null)) {
        return;
      }
      shipping = null;
      if (leader != null) {
        leader.answer(outcome);
      } else {
        send(waiting, outcome);
      }
    }
    onEnd.accept(this);
  }

  private static void send(StreamObserver<Lease> call, ByteBuffer frame) {
    call.onNext(Lease.ofHeap(frame));
    call.onCompleted();
  }
}
