package io.drayage.frame;

import java.nio.ByteBuffer;

/**
 * The transactor takes a shipment. The payload of an {@link FrameType#ACCEPT} frame:
 *
 * <pre>
 *   0             8
 *   +-------------+--------------+
 *   | shipment id | credit bytes |
 *   | i64         | i64          |
 *   +-------------+--------------+
 * </pre>
 *
 * @param shipmentId stands in every frame of the shipment from now on
 * @param creditBytes how many bytes of frames may be sent before more credit comes
 */
public record Accepted(long shipmentId, long creditBytes) {
  private static final int BYTES = 16;

  /** The complete frame. */
  public ByteBuffer toFrame() {
    return ControlFrame.of(
        FrameType.ACCEPT,
        shipmentId,
        BYTES,
        payload -> payload.putLong(shipmentId).putLong(creditBytes));
  }

  /** The acceptance in a verified payload. */
  public static Accepted ofPayload(ByteBuffer payload) throws ShipmentException {
    ControlFrame.requirePayload(payload, BYTES);
    return new Accepted(payload.getLong(), payload.getLong());
  }
}
