package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.receive.Reception;
import io.drayage.transport.ShipmentReplies;
import java.util.function.Consumer;

/** Answers the worker with the outcome of receiving, and passes on the decoded chunks. */
record Outcomes(
    ShipmentReplies replies, Consumer<ChangeCargo> whenReceived, Consumer<Lease> whenDecoded)
    implements Reception.ReceptionListener {
  Outcomes(ShipmentReplies replies, Consumer<ChangeCargo> whenReceived) {
    this(replies, whenReceived, frame -> {});
  }

  @Override
  public void decoded(Lease frame) {
    whenDecoded.accept(frame);
  }

  @Override
  public long shipmentId() {
    return replies.shipmentId();
  }

  @Override
  public void received(ChangeCargo cargo, Seal seal) {
    replies.held(seal);
    whenReceived.accept(cargo);
  }

  @Override
  public void failed(ShipmentException cause) {
    replies.failed(cause);
  }
}
