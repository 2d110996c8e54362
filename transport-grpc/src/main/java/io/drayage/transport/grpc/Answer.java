package io.drayage.transport.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.grpc.proto.FrameMessage;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/** The one answer of a call, or why there is none. */
final class Answer implements StreamObserver<FrameMessage> {
  /** Takes an answer, and may find it wrong. */
  interface Taker {
    void take(FrameMessage answer) throws ShipmentException;
  }

  private final String doing;
  private final Taker taker;
  private final Consumer<ShipmentException> onFailure;

  /**
   * @param doing what a message about a failure says was going on
   */
  Answer(String doing, Taker taker, Consumer<ShipmentException> onFailure) {
    this.doing = doing;
    this.taker = taker;
    this.onFailure = onFailure;
  }

  @Override
  public void onNext(FrameMessage answer) {
    try {
      taker.take(answer);
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
