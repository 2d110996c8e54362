package io.drayage.transport.grpc;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
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
  private final InboundWindow window;
  private final Consumer<InboundShipment> onEnd;
  private final Object handlerLock = new Object();

  /** Guarded by {@link #handlerLock}; null until accepted and when no longer to be called. */
  private @Nullable ShipmentHandler handler;

  /** Guarded by {@link #handlerLock}. */
  private @Nullable ShipmentException abortCause;

  private @Nullable ServerCallStreamObserver<Lease> shipping;
  private @Nullable StreamObserver<Lease> committing;
  private boolean sealed;
  private boolean isHeld;
  private @Nullable ByteBuffer outcome;
  private long lastHeardNs = System.nanoTime();

  /**
   * @param shareBytes the bytes of frames that may wait to be decoded
   * @param onEnd called once, when the worker has its answer or none can be given
   */
  InboundShipment(long id, LongSupplier shareBytes, Consumer<InboundShipment> onEnd) {
    this.id = id;
    this.window = new InboundWindow(shareBytes);
    this.onEnd = onEnd;
  }

  /** Tells who gets the frames; whom it tells at once if the server was closed meanwhile. */
  void handleWith(ShipmentHandler accepted) {
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

  /**
   * The call that brings the frames has come.
   *
   * @throws ShipmentException {@link Fault#FOREIGN} if there was one before
   */
  void ship(ServerCallStreamObserver<Lease> call) throws ShipmentException {
    synchronized (this) {
      if (shipping != null || isHeld) {
        throw new ShipmentException(
            Fault.FOREIGN, "shipment %d is being shipped already".formatted(id));
      }
      shipping = call;
      lastHeardNs = System.nanoTime();
    }
    answer();
    call.request(window.open());
  }

  /** The call that waits for the commit has come. */
  void commit(ServerCallStreamObserver<Lease> call) throws ShipmentException {
    synchronized (this) {
      if (!isHeld || committing != null) {
        throw new ShipmentException(
            Fault.FOREIGN,
            isHeld
                ? "shipment %d is being committed already".formatted(id)
                : "shipment %d is not held yet".formatted(id));
      }
      committing = call;
    }
    answer();
  }

  /** A message with a frame has come, header checked. Owns it. */
  void onFrame(Lease message) {
    ByteBuffer frame = message.buffer();
    int frameBytes = frame.remaining();
    FrameType type = FrameHeader.type(frame);
    synchronized (this) {
      lastHeardNs = System.nanoTime();
      sealed |= type == FrameType.SEAL;
    }
    request(window.onArrived(frameBytes));
    Lease lease = new Lease(frame, () -> release(message, frameBytes));
    if (FrameHeader.shipmentId(frame) != id) {
      abort(
          new ShipmentException(
              Fault.FOREIGN,
              "a frame of shipment %d in shipment %d"
                  .formatted(FrameHeader.shipmentId(frame), id)));
      lease.close();
    } else if (type.needsCredit()) {
      handle(lease);
    } else {
      lease.close();
      if (type != FrameType.HEARTBEAT) {
        abort(new ShipmentException(Fault.FOREIGN, "a worker ships no %s frames".formatted(type)));
      }
    }
  }

  private void handle(Lease frame) {
    synchronized (handlerLock) {
      if (handler == null || isOver()) {
        frame.close();
      } else {
        handler.onFrame(frame);
      }
    }
  }

  private void release(Lease message, int frameBytes) {
    message.close();
    synchronized (this) {
      lastHeardNs = System.nanoTime(); // Whoever was waited for until now, it was not the worker.
    }
    request(window.onReleased(frameBytes));
  }

  private void request(int messages) {
    ServerCallStreamObserver<Lease> call;
    synchronized (this) {
      call = shipping;
    }
    if (messages > 0 && call != null) {
      call.request(messages);
    }
  }

  /** The worker has ended its call. */
  void onShipped() {
    boolean whole;
    synchronized (this) {
      whole = sealed;
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
      if (aborted != null) {
        aborted.onAborted(cause);
      }
    }
    finish(Failure.toFrame(FrameType.FAILED, id, cause));
  }

  /** As {@link #abort}, when there is nobody who could be told. */
  void peerGone(ShipmentException cause) {
    abort(cause);
    onEnd.accept(this);
  }

  /** For how long the worker has been silent although it was its turn. */
  synchronized long silentNs() {
    return isWorkersTurn() ? System.nanoTime() - lastHeardNs : 0;
  }

  private boolean isWorkersTurn() {
    if (isHeld || outcome != null) {
      return committing == null;
    }
    return !sealed && window.heldBytes() == 0;
  }

  private synchronized boolean isOver() {
    return outcome != null;
  }

  @Override
  public void held(Seal seal) {
    ServerCallStreamObserver<Lease> call;
    synchronized (this) {
      call = shipping;
      if (outcome != null || isHeld || call == null) {
        return;
      }
      isHeld = true;
      shipping = null;
      lastHeardNs = System.nanoTime();
      send(call, seal.toFrame(FrameType.HELD, id));
    }
  }

  @Override
  public void committed(long snapshotTimestamp) {
    finish(ControlFrame.committed(id, snapshotTimestamp));
  }

  @Override
  public void failed(ShipmentException cause) {
    finish(Failure.toFrame(FrameType.FAILED, id, cause));
  }

  private void finish(ByteBuffer frame) {
    synchronized (this) {
      if (outcome != null) {
        return;
      }
      outcome = frame;
      lastHeardNs = System.nanoTime();
    }
    answer();
  }

  /** Gives the outcome to the call that waits for it, if there are both. */
  private void answer() {
    synchronized (this) {
      StreamObserver<Lease> call = shipping != null ? shipping : committing;
      if (outcome == null || call == null) {
        return;
      }
      shipping = null;
      send(call, outcome);
    }
    onEnd.accept(this);
  }

  private static void send(StreamObserver<Lease> call, ByteBuffer frame) {
    call.onNext(Lease.ofHeap(frame));
    call.onCompleted();
  }
}
