package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The one answer of a call, or the reason why the call has none. */
class Answer implements StreamObserver<Lease> {
  /** Receives an answer, and may refuse it. */
  interface Receiver {
    void receive(ByteBuffer answer) throws ShipmentException;
  }

  private final String doing;
  private final Receiver receiver;
  private final Consumer<ShipmentException> onFailure;

  /**
   * @param doing what the caller was doing, for the message of a failure
   */
  Answer(String doing, Receiver receiver, Consumer<ShipmentException> onFailure) {
    this.doing = doing;
    this.receiver = receiver;
    this.onFailure = onFailure;
  }

  @Override
  public final void onNext(Lease answer) {
    try {
      receiver.receive(answer.buffer());
    } catch (ShipmentException e) {
      onFailure.accept(e);
    }
  }

  @Override
  public final void onError(Throwable cause) {
    onFailure.accept(failure(cause, doing));
  }

  @Override
  public final void onCompleted() {}

  /** Makes the failure of a call that ended without an answer frame, from its status. */
  static ShipmentException failure(Throwable cause, String doing) {
    Status status = Status.fromThrowable(cause);
    Fault fault =
        switch (status.getCode()) {
          case UNAVAILABLE, CANCELLED -> Fault.PEER_GONE;
          case DEADLINE_EXCEEDED -> Fault.PEER_SILENT;
          case RESOURCE_EXHAUSTED -> Fault.LIMIT;
          default -> Fault.INTERNAL;
        };
    Throwable root = status.getCause();
    return new ShipmentException(
        fault,
        "%s: %s, %s%s"
            .formatted(
                doing,
                status.getCode(),
                status.getDescription(),
                root == null ? "" : " (%s)".formatted(root.getMessage())),
        cause);
  }
}
