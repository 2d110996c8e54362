package io.drayage.baseline.grpc;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call that ships frames, and whether it is ready for more. Thread-safe.
 *
 * <p>It is ready while gRPC is, which by default it is below 32 KiB of queued bytes: half a chunk,
 * so that the sender waits after each one. The published figures show that the published sender did
 * wait; the argument, and what it costs, stand in {@code docs/decisions/0002-baseline-choices.md}.
 */
final class OutboundCall implements ClientResponseObserver<Lease, Lease> {
  private final Flavour flavour;
  private final Answer answer;
  private final Consumer<ShipmentException> onFailure;

  /** One thread at a time uses the call; it holds this while it copies a frame. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Runnable onReadyOrOver;

  private volatile @Nullable ClientCallStreamObserver<Lease> call;
  private volatile boolean sealed;

  private final AtomicLong givenBytes = new AtomicLong();

  private volatile @Nullable ShipmentException end;

  /**
   * @param onReadyOrOver run whenever the call is ready again, and when it has ended
   */
  OutboundCall(
      Flavour flavour,
      Answer.Receiver onAnswer,
      Consumer<ShipmentException> onFailure,
      Runnable onReadyOrOver) {
    this.flavour = flavour;
    this.onReadyOrOver = onReadyOrOver;
    this.answer = new Answer("shipping frames", onAnswer, onFailure);
    this.onFailure = onFailure;
  }

  void start(HaulCalls calls) {
    calls.ship(this);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Lease> requests) {
    call = requests;
    requests.setOnReadyHandler(onReadyOrOver);
  }

  /** Copies the frame into the call if that is ready; leaves its position as it is. */
  boolean offer(ByteBuffer frame) throws ShipmentException {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = requireOpen();
      if (!open.isReady()) {
        return false;
      }
      open.onNext(flavour.message(frame));
      givenBytes.addAndGet(frame.remaining());
      if (isSeal(frame)) {
        sealed = true;
        open.onCompleted();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Half-closes the call; without effect if it was half-closed before. */
  void complete() {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null && end == null && !sealed) {
        sealed = true;
        open.onCompleted();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the call is ready now. */
  boolean isReady() throws ShipmentException {
    return requireOpen().isReady();
  }

  /** Bytes of all frames that were put into it. A stale value costs one frame a better call. */
  long givenBytes() {
    return givenBytes.get();
  }

  void requireUnderWay() throws ShipmentException {
    ShipmentException over = end;
    if (over != null) {
      throw over;
    }
  }

  /** Puts a small frame into the call, ready or not. */
  void sendNow(ByteBuffer frame) {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null && end == null) {
        open.onNext(flavour.message(frame));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Puts a small frame into the call if nothing else is under way. */
  void sendIfIdle(ByteBuffer frame) {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null && end == null && !sealed && open.isReady()) {
        open.onNext(flavour.message(frame));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the call is ready, or never will be. */
  boolean isReadyOrOver() {
    ClientCallStreamObserver<Lease> open = call;
    return end != null || open == null || open.isReady();
  }

  private ClientCallStreamObserver<Lease> requireOpen() throws ShipmentException {
    requireUnderWay();
    ClientCallStreamObserver<Lease> open = call;
    if (open == null || sealed) {
      throw new IllegalStateException("the seal was sent already, or the call not started");
    }
    return open;
  }

  static boolean isSeal(ByteBuffer frame) {
    try {
      return frame.remaining() >= FrameHeader.BYTES
          && FrameHeader.payloadBytes(frame, frame.position()) >= 0
          && FrameHeader.type(frame) == FrameType.SEAL;
    } catch (ShipmentException e) {
      return false; // Not ours to judge: the transactor will name what is wrong with it.
    }
  }

  /**
   * Ends the call for further frames.
   *
   * @param cause what further offers throw
   * @return whether this was the first to end it
   */
  boolean end(ShipmentException cause) {
    lock.lock();
    try {
      if (end != null) {
        return false;
      }
      end = cause;
    } finally {
      lock.unlock();
    }
    onReadyOrOver.run();
    return true;
  }

  /** Drops what has not been sent. */
  void cutOff(@Nullable ShipmentException cause) {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null) {
        open.cancel("the shipment is over", cause);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onNext(Lease message) {
    answer.onNext(message);
  }

  @Override
  public void onError(Throwable cause) {
    onFailure.accept(Statuses.asShipmentException(cause, "shipping frames"));
  }

  @Override
  public void onCompleted() {
    answer.onCompleted();
  }
}
