package io.drayage.baseline.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The one answer of a call, or why there is none. */
final class Answer implements StreamObserver<Lease> {
  /** Takes an answer, and may find it wrong. */
  interface Receiver {
    void receive(ByteBuffer answer) throws ShipmentException;
  }

  private final String doing;
  private final Receiver receiver;
  private final Consumer<ShipmentException> onFailure;

  /**
   * @param doing what was going on, for the message of a failure
   */
  Answer(String doing, Receiver receiver, Consumer<ShipmentException> onFailure) {
    this.doing = doing;
    this.receiver = receiver;
    this.onFailure = onFailure;
  }

  @Override
  public void onNext(Lease answer) {
    try {
      receiver.receive(answer.buffer());
    } catch (ShipmentException e) {
      onFailure.accept(e);
    }
  }

  @Override
  public void onError(Throwable cause) {
    onFailure.accept(Statuses.asShipmentException(cause, doing));
  }

  @Override
  public void onCompleted() {}
}
