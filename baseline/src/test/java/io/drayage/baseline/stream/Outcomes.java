package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.Reception;
import io.drayage.transport.ShipmentReplies;
import java.util.function.Consumer;

/** Answers the worker how receiving ends, and passes the cargo on. */
record Outcomes(ShipmentReplies replies, Consumer<ChangeCargo> whenReceived)
    implements Reception.ReceptionListener {
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
