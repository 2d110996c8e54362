package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;

/**
 * A worker's further connection for an accepted shipment. The payload of a {@link FrameType#JOIN}
 * frame, whose header names the shipment:
 *
 * <pre>
 *   0                        16        17
 *   +------------------------+---------+
 *   | token                  | purpose |
 *   | 2 x i64, high half     | u8      |
 *   |   first                |         |
 *   +------------------------+---------+
 * </pre>
 *
 * @param token the token of {@link Accepted}
 */
public record Join(Token token, Purpose purpose) {
  private static final int BYTES = Token.BYTES + 1;

  /** The purpose of the connection. */
  public enum Purpose {
    /** Adds a connection to a shipment with live connections. */
    STRIPE(1),
    /** Replaces all earlier connections of the shipment, which are dead to the worker. */
    RESUME(2);

    private final int id;

    Purpose(int id) {
      this.id = id;
    }

    private static Purpose ofId(int id) throws ShipmentException {
      return switch (id) {
        case 1 -> STRIPE;
        case 2 -> RESUME;
        default ->
            throw new ShipmentException(
                Fault.BAD_FRAME, format("purpose %d of a connection is unknown", id));
      };
    }
  }

  /** The complete frame. */
  public ByteBuffer toFrame(long shipmentId) {
    return ControlFrame.of(FrameType.JOIN, shipmentId, BYTES, this::write);
  }

  private void write(ByteBuffer payload) {
    token.write(payload);
    payload.put((byte) purpose.id);
  }

  /** The request in a verified payload. */
  public static Join ofPayload(ByteBuffer payload) throws ShipmentException {
    ControlFrame.requirePayload(payload, BYTES);
    return new Join(Token.read(payload), Purpose.ofId(payload.get() & 0xFF));
  }
}
