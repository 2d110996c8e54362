package io.drayage.transport.grpc;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.grpc.proto.FrameMessage;
import io.drayage.transport.grpc.proto.HaulGrpc;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call that ships frames, and whether there is room in it. Thread-safe.
 *
 * <p>There is room while gRPC says that it is ready, which by default it is below 32 KiB of queued
 * bytes: half a chunk, so that the sender waits after each one. The published figures show that the
 * published sender did wait; the argument, and what it costs, stand in {@code
 * docs/decisions/0002-baseline-choices.md}.
 */
final class OutboundCall implements ClientResponseObserver<FrameMessage, FrameMessage> {
  private final Answer answer;
  private final Consumer<ShipmentException> onFailure;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition readyOrOver = lock.newCondition();
  private @Nullable ClientCallStreamObserver<FrameMessage> call;
  private boolean sealed;
  private @Nullable ShipmentException end;

  OutboundCall(Answer.Taker onAnswer, Consumer<ShipmentException> onFailure) {
    this.answer = new Answer("shipping frames", onAnswer, onFailure);
    this.onFailure = onFailure;
  }

  void start(HaulGrpc.HaulStub stub) {
    stub.ship(this);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<FrameMessage> requests) {
    call = requests;
    requests.setOnReadyHandler(this::signal);
  }

  private void signal() {
    lock.lock();
    try {
      readyOrOver.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Copies the frame into the call if there is room; leaves its position as it is. */
  boolean offer(ByteBuffer frame) throws ShipmentException {
    lock.lock();
    try {
      ClientCallStreamObserver<FrameMessage> open = requireOpen();
      if (!open.isReady()) {
        return false;
      }
      open.onNext(FrameMessages.of(frame));
      if (isSeal(frame)) {
        sealed = true;
        open.onCompleted();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Puts a small frame into the call, room or not. */
  void sendNow(ByteBuffer frame) {
    lock.lock();
    try {
      if (call != null && end == null) {
        call.onNext(FrameMessages.of(frame));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Puts a small frame into the call if nothing else is under way. */
  void sendIfIdle(ByteBuffer frame) {
    lock.lock();
    try {
      if (call != null && end == null && !sealed && call.isReady()) {
        call.onNext(FrameMessages.of(frame));
      }
    } finally {
      lock.unlock();
    }
  }

  void awaitReady() throws ShipmentException, InterruptedException {
    lock.lock();
    try {
      while (!requireOpen().isReady()) {
        readyOrOver.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private ClientCallStreamObserver<FrameMessage> requireOpen() throws ShipmentException {
    if (end != null) {
      throw end;
    }
    if (call == null || sealed) {
      throw new IllegalStateException("the seal was sent already, or the call not started");
    }
    return call;
  }

  private static boolean isSeal(ByteBuffer frame) {
    try {
      return frame.remaining() >= FrameHeader.BYTES
          && FrameHeader.payloadBytes(frame, frame.position()) >= 0
          && FrameHeader.type(frame) == FrameType.SEAL;
    } catch (ShipmentException e) {
      return false; // Not ours to judge: the transactor will name what is wrong with it.
    }
  }

  /**
   * Takes no more frames.
   *
   * @param cause what further offers throw
   * @return whether this call was the first to say so
   */
  boolean end(ShipmentException cause) {
    lock.lock();
    try {
      if (end != null) {
        return false;
      }
      end = cause;
      readyOrOver.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Drops what has not been sent. */
  void cutOff(@Nullable ShipmentException cause) {
    lock.lock();
    try {
      if (call != null) {
        call.cancel("the shipment is over", cause);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onNext(FrameMessage message) {
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
