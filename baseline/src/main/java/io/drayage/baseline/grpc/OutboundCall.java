package io.drayage.baseline.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that ships frames, and whether it is ready for more. Thread-safe.
 *
 * <p>The call is ready while gRPC is. By default, gRPC is ready below 32 KiB of queued bytes: half
 * a chunk, so the sender waits after each chunk. The published figures show that the published
 * sender did wait. See {@code docs/decisions/baseline.md} for the argument and the cost.
 */
final class OutboundCall extends Answer implements ClientResponseObserver<Lease, Lease> {
  private final Flavour flavour;
  private final Runnable onReady;
  private final AtomicReference<@Nullable ShipmentException> end;

  /** Guards the call: one thread at a time uses it, and holds this lock while it copies a frame. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable ClientCallStreamObserver<Lease> call;
  private volatile boolean completed;

  private final AtomicLong givenBytes = new AtomicLong();

  /**
   * @param onReady run whenever the call is ready again
   * @param end the reason why the shipment is over, or null; nothing is sent after the end
   */
  OutboundCall(
      Flavour flavour,
      Receiver onAnswer,
      Consumer<ShipmentException> onFailure,
      Runnable onReady,
      AtomicReference<@Nullable ShipmentException> end) {
    super("shipping frames", onAnswer, onFailure);
    this.flavour = flavour;
    this.onReady = onReady;
    this.end = end;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Lease> requests) {
    call = requests;
    requests.setOnReadyHandler(onReady);
  }

  /** Copies the frame into the call if the call is ready; does not change the frame's position. */
  boolean offer(ByteBuffer frame) throws ShipmentException {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = requireOpen();
      if (!open.isReady()) {
        return false;
      }
      open.onNext(flavour.message(frame));
      givenBytes.addAndGet(frame.remaining());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Half-closes the call. */
  void complete() {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null && end.get() == null && !completed) {
        completed = true;
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

  /** Whether the call is ready, or never will be. */
  boolean isReadyOrOver() {
    ClientCallStreamObserver<Lease> open = call;
    return end.get() != null || open == null || open.isReady();
  }

  private ClientCallStreamObserver<Lease> requireOpen() throws ShipmentException {
    ShipmentException over = end.get();
    if (over != null) {
      throw over;
    }
    ClientCallStreamObserver<Lease> open = call;
    if (open == null || completed) {
      throw new IllegalStateException("the seal was sent already, or the call not started");
    }
    return open;
  }

  /** Bytes of all frames that were put into the call. A stale value makes a choice worse. */
  long givenBytes() {
    return givenBytes.get();
  }

  /**
   * Puts a small frame into the call.
   *
   * @param evenIfBusy whether it may queue behind other frames; if not, it is dropped
   */
  void sendSmall(ByteBuffer frame, boolean evenIfBusy) {
    lock.lock();
    try {
      ClientCallStreamObserver<Lease> open = call;
      if (open != null && end.get() == null && !completed && (evenIfBusy || open.isReady())) {
        open.onNext(flavour.message(frame));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops frames that were not sent. */
  void cutOff(ShipmentException cause) {
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
}
