package io.drayage.transport.netty;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;

/** Takes any frames, and answers the seal with its like and timestamp 7. */
record Committing(ShipmentReplies replies) implements ShipmentHandler {
  @Override
  public void onFrame(Lease frame) {
    try (frame) {
      if (FrameHeader.type(frame.buffer()) == FrameType.SEAL) {
        replies.held(Seal.ofPayload(FrameHeader.verify(frame.buffer())));
        replies.committed(7);
      }
    } catch (ShipmentException e) {
      replies.failed(e);
    }
  }

  @Override
  public boolean onAborted(ShipmentException cause) {
    return true;
  }
}
