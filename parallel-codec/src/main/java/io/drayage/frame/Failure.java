package io.drayage.frame;

import io.drayage.cargo.Names;
import java.nio.ByteBuffer;

/**
 * Why a shipment is over. The payload of a {@link FrameType#FAILED} and of a {@link
 * FrameType#CANCEL} frame:
 *
 * <pre>
 *   0            4
 *   +------------+--------------------+
 *   | fault id   | message, UTF-8     |
 *   | i32        | ...                |
 *   +------------+--------------------+
 * </pre>
 */
public final class Failure {
  private static final int MAX_MESSAGE_CHARS = 4_000;

  private Failure() {}

  /** The complete frame that reports {@code cause} to the peer. */
  public static ByteBuffer toFrame(FrameType type, long shipmentId, ShipmentException cause) {
    byte[] message = ControlFrame.utf8(String.valueOf(cause.getMessage()), MAX_MESSAGE_CHARS);
    return ControlFrame.of(
        type,
        shipmentId,
        Integer.BYTES + message.length,
        payload -> payload.putInt(cause.fault().id()).put(message));
  }

  /** The failure in a verified payload, as the exception to throw on this side. */
  public static ShipmentException ofPayload(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < Integer.BYTES) {
      ControlFrame.requirePayload(payload, Integer.BYTES);
    }
    Fault fault = Fault.ofId(payload.getInt());
    // It is shown, and the peer may be anybody.
    return new ShipmentException(fault, Names.printable(ControlFrame.text(payload)));
  }
}
